/** Published addresses, for tests. */
import type { Vectors } from './vectors.testing.ts'

/** Vectors, each with the source that states it. */
export const base58Vectors: readonly Vectors[] = [
  {
    network: 'tron',
    sources: [
      {
        source: 'github.com/christsim/multicoin-address-validator, test/wallet_address_validator.js',
        any: ['TNDzfERDpxLDS2w1q6yaFC7pzqaSQ3Bg3r'],
        invalid: [
          'xrb_1111111112111111111111111111111111111111111111111111hifc8npp',
          'TNDzfERDpxLDS2w1q6yaFC7pzqaSQ3Bg31',
          '27bLJCYjbH6MT8DBF9xcrK6yZnm43vx7MNQ',
        ],
      },
      {
        source: 'github.com/mrtnetwork/blockchain_utils, test/address',
        any: [
          'TDCEx9fU3UVuMPPXpGeX6BXjwsVo4vGuNh',
          'TToBpczGoKTbom3DtQR4BhZxvs8hmBi96y',
          'TTj497PF6M4eCQXRirihoAiwsZcC2fshQ7',
          'TFkyDS2Lv9sYbmemHSLhj3ZCiWVEKCe2DG',
          'TQdakaPoAGSHLNUYuAG9gcGwXM6LzNpySn',
          'TQYk4S413skufWdZv94GbBwjnK2UWmFu9J',
          'TKv6EENv2hPC8xSRJ53SctaZDrCNycMm7s',
          'TRN3T1rascS98QZtJiPYCQmYQQPzhkugnU',
          'TBxzCFh2qkdpfQiCzoye1beNG4XRMPNaa4',
          'TDf9vkbYP9BLmhePBuY6Xov2PkKfu8YPW6',
        ],
      },
      {
        source: 'github.com/trustwallet/wallet-core, tests/chains/Tron and tests/common',
        any: [
          'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC',
          'THRF3GuPnvvPzKoaT8pJex5XHmo8NNbCb3',
          'TQLCsShbQNXMTVCjprY64qZmEA4rBarpQp',
        ],
        invalid: [
          'XQLCsShbQNXMTVCjprY64qZmEA4rBarpQp',
          'abc',
          '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
          '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W',
          '2MegQ6oqSda2tTagdEzBA',
        ],
      },
    ],
  },
  {
    network: 'solana',
    sources: [
      {
        source: 'github.com/christsim/multicoin-address-validator, test/wallet_address_validator.js',
        any: [
          '833XorXTTx5iya5B3Tr6iqEs9GbRuvVfwyLCP2vpdzhq',
          '6ZRCB7AAqGre6c72PRz3MHLC73VMYvJ8bi9KHf1HFpNk',
          'HgyXhqapicB8zoyyFQ23oUwwFrBACDyDc7bqUuvnEELM',
          '69UwBV4LPg7hHUS5JXiXyfgVnESmDKe8KJppsLj8pRU',
          'G4qGCGF4vWGPzYi2pxc2Djvgv3j8NiWaHQMgTVebCX6W',
        ],
        invalid: [
          '0x9ec7d40d627ec59981446a6e5acb33d51afcaf8a',
          '833XQoXTx05iya53Tr6iqEs9GbRuvVfwyLCP2vpdzhq',
          '833XorXTTx5iya5B3Tr6iqEs9GbRuvVfwyLCP2vpdz',
          'bc1qwqdg6squsna38e46795at95yu9atm8azzmyvckulcc7kytlcckxswvvzej',
          'Ae2tdPwUPEZKmwoy3AU3cXb5Chnasj6mvVNxV1H11997q3VW5ihbSfQwGpm',
          'addr1skemppmfevyk0lshu2w8j34707s3t3t58a04xcx5ccevrcmvpmxg2qt4pk0',
        ],
      },
      {
        source: 'github.com/mrtnetwork/blockchain_utils, test/address',
        any: [
          'Ho87cuS3aSRgUMCeMrV7uNCCWx6Fj2ytnufYQ1W7KCLr',
          'CSKgzVRhq6PKFUtiEFtWdTYhQTd12ohN3fc6yjxYnwHL',
          '4JMhwSEujEZEfMp4X8ZrqYcDNaYy7UFaCXvoSzWQJLQq',
          '9EVd38qiDV6UAmGjkSrdYJRiZNQt2WKVETqLRpGuuHhm',
          '5awvcqhNEe6YA9keaifwmqDiGujJbHnNj9owfMs6jCUS',
          '6LfA6VG1F2g17FUASkchdvEH9ct9HLbo524Ra7giAGoA',
          '82tYy7XPrAetkZbHJKoB1XsqxZ2xpjF1iizRF71GsxgX',
          '3e2kEc711izrXJm7nKbVW5gA9MaFZcdgL49PRejKBwnp',
          '5pvTzAc9XRhdzaHemPBz6p8pmTdqyatKjT4Z9ao8Z5Ux',
          '6a8JHTfD2EyJqYEjYFzH8oeLqKV9frtMMdwktm4e9Mua',
        ],
      },
      {
        source: 'github.com/trustwallet/wallet-core, tests/chains/Solana',
        any: ['2gVkYWexTHR5Hb2aLeQN3tnngvWzisFKXDUPrgMHpdST', 'HzqnaMjWFbK2io6WgV2Z5uBguCBU21RMUS16wsDUHkon'],
        invalid: [
          '2gVkYWexTHR5Hb2aLeQN3tnngvWzisFKXDUPrgMHpdSl',
          '2gVkYWexTHR5Hb2aLeQN3tnngvWzisFKXDUPrgMHpd',
          '4h4bzCLCV8',
        ],
      },
    ],
  },
  {
    network: 'tezos',
    sources: [
      {
        source: 'github.com/christsim/multicoin-address-validator, test/wallet_address_validator.js',
        any: [
          'tz1Lhf4J9Qxoe3DZ2nfe8FGDnvVj7oKjnMY6',
          'tz1PyxsQ7xVTa5J7gtBeT7pST5Zi5nk5GSjg',
          'tz1LcuQHNVQEWP2fZjk1QYZGNrfLDwrT3SyZ',
          'tz1RR6wETy9BeXG3Fjk25YmkSMGHxTtKkhpX',
          'tz1h3rQ8wBxFd8L9B3d7Jhaawu6Z568XU3xY',
          'KT1EM2LvxxFGB3Svh9p9HCP2jEEYyHjABMbK',
        ],
        invalid: [
          'SBGWKM3CD4IL47QN6X54N6Y33T3JDNVI6AIJ6CD5IM47HG3IG4O36XCU',
          'GBPXX0A5N4JYPESHAADMQKBPWZWQDQ64ZV6ZL2S3LAGW4SY7NTCMWIVL',
          'GCFZB6L25D26RQFDWSSBDEYQ32JHLRMTT44ZYE3DZQUTYOL7WY43PLBG',
          'tz1RR6wy9BeXG3Fjk25YmkSMGHxTtKkhpX',
          'tz1h3rQ8wBxFd8L9B3d7JhaPQawu6Z568XU3xY',
          'tz1Lhf4J9Qxoe4DZ2nfe8FGDnvVj7oKjnMY6',
          'KT1E2LvxxFGB3Svh9p9HCP2jEEYyHjABMbK',
        ],
      },
      {
        source: 'github.com/mrtnetwork/blockchain_utils, test/address',
        any: [
          'tz1L3tHJsTq9qj1shvYQsryfUjwNqRqtbZmx',
          'tz1YzR9HTAJbu1H9MaBVSGj9N9wxNxncWKCm',
          'tz1cFUC9RhZ8AaRL8zM3D61vTPapJsz2y8cE',
          'tz1Y9Y6PGDtLK9yL7ADDMJUq65zSpk9V8zJe',
          'tz1f4monATLFToiHJnEpJhfNts6TU7xiZq45',
          'tz1U9EL5iejcmM6rmeUBfsuTSg7UaKCpbvt2',
          'tz1eaA5mZq1y123EXSabTMrPqZwfZcJedy5i',
          'tz1S5JqJDFQjdFEL9cmndvwu3SfVxN7Wxhgg',
        ],
      },
      {
        source: 'github.com/trustwallet/wallet-core, tests/chains/Tezos',
        any: [
          'tz1eZwq8b5cvE2bPKokatLkVMzkxz24z3Don',
          'tz2Rh3NYeLxrqTuvaZJmaMiVMqCajeXMWtYo',
          'tz3RDC3Jdn4j15J7bBHZd29EUee9gVB1CxD9',
          'KT1XnTn74bUtxHfDtBmm2bGZAQfhPbvKWR8o',
          'tz2PdGc7U5tiyqPgTSgqCDct94qd6ovQwP6u',
          'tz3VEZ4k6a4Wx42iyev6i2aVAptTRLEAivNN',
        ],
        invalid: [
          'NmH7tmeJUmHcncBDvpr7aJNEBk7rp5zYsB1qt',
          'tz1eZwq8b5cvE2bPKokatLkVMzkxz24z3AAAA',
          '1tzeZwq8b5cvE2bPKokatLkVMzkxz24zAAAAA',
        ],
      },
    ],
  },
  {
    network: 'monero',
    sources: [
      {
        source: 'github.com/christsim/multicoin-address-validator, test/wallet_address_validator.js',
        main: [
          '47zQ5LAivg6hNCgijXSEFVLX7mke1bgM6YGLFaANDoJbgXDymcAAZvvMNt2PmMpqEe5qRy2zyfMYXdwpmdyitiFh84xnPG2',
          '48bWuoDG75CXMDHbmPEvUF2hm1vLDic7ZJ7hqRkL65QR9p13AQAX4eEACXNk4YP115Q4KRVZnAvmMBHrcGfv9FvKPZnH6vH',
          '88WB4JKdQVhWfkc8cBT9EEJ6vejSAqKJHbV1dXBAXdpgQovtNDNRxfKCS7wB8rHQ5D5zH2Pd1YkyMNNQDie6ZfeZ311fPgn',
          '4Gd4DLiXzBmbVX2FZZ3Cvu6fUaWACup1qDowprUCje1kSP4FmbftiJMSfV8kWZXNqmVwj4m52xqtgFNUudVmsmGkGvkLcCibWfVUfUFVB7',
          '4J5sF94AzXgFgx8LuWc9dcWkJkGkD3cL3L2AuhX6QA9jFvSxxj6QhHqHXqM2b2Go7G8RyDzEbHxYd9G26XUUbuJChipEyBz9fENMU2Ua9b',
        ],
        test: [
          'A2be3UvzMtkJtxRYgcCbQt2y7Rp2eLVGqNTWfZeankrWimSMM4y7uMP6B9oAZaHsXTj8KFSerkSkkVRuEuEca9QM8VhxCNU',
          '9uXRFi4PZMqhsnthBF6bGdfVnBSZtfKkR7Td8qPM7jUKZeTfR1tLhCoTLqYNE12xuiQg3aWGiLw83bWsqwTRLaM4Jk47xYM',
          '9tFTaQM39JXhULZsHauPHhjFrjcGSGXoijEPYoRgAky9Veck2mFp3EifQ2tKHmEHuuUoFfgYRNR2bVaborz5oi8JA8xkqjY',
          '5BAP9qLbRseYrGneYVRaFANMajuaD4KZrf3fGWvt5cVDR1xUXm6qoFYLkgU6Vp12fs2R24r4269inAWHFEdsLnE87rGCxYK',
          '5Ls4AeA639AYrGneYVRaFANMajuaD4KZrf3fGWvt5cVDR1xUXm6qoFYLkgU6Vp12fs2R24r4269inAWHFEdsLnE8BCU5Q2gDkbq2HYDrn2',
        ],
        invalid: [
          '4AWygwA3hHNE4e4Yr9PtRWJiorXTjZkCi57g4ExYzfXDFFQ8DRFEFyui1dLqVknpqQjGUBdTMbgaFAZaDbrVHdk3GAKBZ3E',
          '44643dtxcxjgMWEQLo6mh1c4d9Zxx9GbgK9hEj9iGSiFEryCkbwHyJ3JqxZJRqeC3Hb7ZBLKq5NkaJwR1x95EYnR1bTgN6d',
          'A17N9ztrxjQD3v3JJtHGvHVnq6BAbujDNEuensB6PFwBYFpkjAicih8hDtX76HBuEag5NeaCuMZmRMe6eE5NMRGxFTQn8nJ',
          '4LNSCKNSTPNbJYkyAEgL966eHJHLDHiq1PpwKoiFBybcSqNGYfLBJApC62uQEeGAFxfYEd29uXBBrJFo7DhKqFVNi3GhmN79EtD5dgycYz',
          '4JpzTwf3i1GeCV76beVr19179oa8j1L8xNSC1bXMtAxxdf4aTTLqubL8EvXfQmUGKt9MMigFtKy91VtoTTSfg1LU7LocPruT6KcGC9RKJV',
        ],
      },
      {
        source: 'github.com/mrtnetwork/blockchain_utils, test/address',
        main: [
          '42z3MVZMRgE72dPA89MtCD6tYeWke8cV2B3YPYg1pe5x9X7VVqee6MWhjPrjCMiUFwejWkh8KL6MpN8cwX7B5WuZAxw2YbQ',
          '471SLbc2E2j7J5QMCEAV6K2bGd3C3TjrGaMiBQxAnR7z9ozebfZdbjJWbGWq7fuBWWj6nfj2PK8xJVCT6eVu9b7oKxCaZrA',
          '45mPJPfAqJe715SyK5n57QaRPh6WsAtHx8NZrZwr657s773aSMqd76qeQAxDxM9EHyTwRVxNFVSSSTJxJiJn9ft1Lm6rSJU',
          '46WsFRPkXDzfqo87wKrssqeQR8xRgzBFUfViHB9umxxzF81gT9EJJYYBo7mBe7YTM7LpNPpZbbaiRYwg5PbxXSgwH7qbwC7',
          '4BUqMSeJfNQGudzEJNvzQ2LXh4tbUdW4YCM7mq55edxBT7t1297vwCMZSnJwGvEKEKbH8hGmhZZAGhdHbp2te6AA38ZMi4knaCKLprMPni',
          '4Di1CSUY6fnfg8bL2tDrvS2SMVfKaZZfZGjsyKsSih641LUNchchhAr3fP9zQy8oVM7MjWhK7TrbCZ8AY2VPmxNrjkTTVvgctWPJPxL5vz',
          '4GCsMkRThYa6QbRAQ2WQpYCT8o5LV1mVVKFB4sef478oKfAynpiuUzFaUPuZW3j5Kj9R8NpPFWygmhK1gpeSp6hUE5fwrhak8AVEWXEz4V',
          '4DaqrDsxq7HbHCqZ879wwJX8hbvVemhQRUWQ8DsEfW796jzhNQwLedoV9BYdsFdm9QRx2vBceuv6LPGxr293XWrTBP2Q9bMwRXDLkDbZAZ',
        ],
      },
    ],
  },
]
