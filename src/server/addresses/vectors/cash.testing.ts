/** Published addresses, for tests. */
import type { Vectors } from './vectors.testing.ts'

/** Vectors, each with the source that states it. */
export const cashVectors: readonly Vectors[] = [
  {
    network: 'bitcoin-cash',
    sources: [
      {
        source:
          'the CashAddr specification, examples of translation and test vectors; those of other prefixes and sizes are for these',
        main: [
          'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
          'bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy',
          'bitcoincash:qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r',
          'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq',
          'bitcoincash:pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e',
          'bitcoincash:pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37',
          'bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2',
        ],
        test: ['bchtest:pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t'],
        invalid: [
          'pref:pr6m7j9njldwwzlg9v7v53unlr4jkmx6ey65nvtks5',
          'prefix:0r6m7j9njldwwzlg9v7v53unlr4jkmx6ey3qnjwsrf',
          'bitcoincash:q9adhakpwzztepkpwp5z0dq62m6u5v5xtyj7j3h2ws4mr9g0',
        ],
      },
      {
        source: 'github.com/trustwallet/wallet-core, rust/tw_tests/tests/chains/bitcoincash',
        main: [
          'bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2',
          'bitcoincash:qqa2qx0d8tegw32xk8u75ws055en4x3h2u0e6k46y4',
          'bitcoincash:pqx578nanz2h2estzmkr53zqdg6qt8xyqvwhn6qeyc',
          'pqx578nanz2h2estzmkr53zqdg6qt8xyqvwhn6qeyc',
          'qq07l6rr5lsdm3m80qxw80ku2ex0tj76vvsxpvmgme',
          'qqslmu0jxk4st3ldjyuazfpf5thd6vlgfuggqd3re4',
          '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
        ],
        invalid: [
          'pqx578nanz2h2estzmkr53zqdg6qt8xyqvffffffff',
          'bitcoincash:pqx578nanz2h2estzmkr53zqdg6qt8xyqvffffffff',
          'pqx578nanz2h2estzmkr53zqdg6qt8xyqvh683mrz0',
          'ecash:pqx578nanz2h2estzmkr53zqdg6qt8xyqvh683mrz0',
          'bcash:pqx578nanz2h2estzmkr53zqdg6qt8xyqvwhn6qeyc',
          'poi578nanz2h2estzmkr53zqdg6qt8xyqvwhn6qeyc',
        ],
      },
      {
        source: 'github.com/mrtnetwork/blockchain_utils, test/address',
        main: [
          'bitcoincash:ppn87szlp75e3f5akyjlkkwp7qn93w5yx5mvzwlu3y',
          'bitcoincash:pr429p7glnngm9y7upy30ne83ns8xgqh0q7umrqgkq',
          'bitcoincash:pqrmmyt739kg52sar2vhkn2g0y2x5yxm3vj6f8ht0z',
          'bitcoincash:ppngxlg7xj4wjgccv02ara7afhwq2slqls4zanh4fm',
          'bitcoincash:qp7ps3x5k2dslw25rmgk89zfpywxj4yjkvyz09t2qm',
          'bitcoincash:qqcxlm6zehp0x2uufutgle9hc6vn4y33xg5gnmdv38',
          'bitcoincash:qpqvcm2amtjuy5z2cr7wk3vwefzhmv4c5c7zn58227',
          'bitcoincash:qr2n8hq8mjv36vujv6axv7rt4e0xl8quwcemxy4xla',
        ],
        test: [
          'bchtest:qpf29h80q4kzprl84jmwhf9du3jsu2tvw509nqz5cy',
          'bchtest:qrss79kdht7thacfzdzqsjvwnx5cx7y8wqgjasp5xe',
          'bchtest:qztfs92shgk45u2yjh4yjyvay3fj43l93uh9lgk8ay',
          'bchtest:qzrwdz64xx28w038s2dcxf4shsqrzlv9hvklehtgxg',
        ],
      },
      {
        source: 'github.com/christsim/multicoin-address-validator, test/wallet_address_validator.js',
        main: [
          '12KYrjTdVGjFMtaxERSk3gphreJ5US8aUP',
          '12QeMLzSrB8XH8FvEzPMVoRxVAzTr5XM2y',
          '1oNLrsHnBcR6dpaBpwz3LSwutbUNkNSjs',
          '3NJZLcZEEYBpxYEUGewU4knsQRn1WM5Fkt',
          'bitcoincash:qq4v32mtagxac29my6gwj6fd4tmqg8rysu23dax807',
        ],
        test: ['mzBc4XEFSdzCDcTxAgf6EZXgsZWpztRhef', '2MxKEf2su6FGAUfCEAHreGFQvEYrfYNHvL7'],
        invalid: [
          'bc1ql08eyrk03qytqc5pdp5fnwpfh0x3y3k2skauvd',
          'bitcoin:qzpuefrpg3kl2ykQe52rxn96pd3Kp4qudywr5pyrsf',
          'pzuefrpg3kl2ykqe52rxn96pd3kp4qudywr5py',
        ],
      },
    ],
  },
  {
    network: 'ecash',
    sources: [
      {
        source: 'github.com/trustwallet/wallet-core, rust/tw_tests/tests/chains/ecash and tests/common',
        main: [
          'pqx578nanz2h2estzmkr53zqdg6qt8xyqvh683mrz0',
          'ecash:qqra3amvnyyhrltyn5h97klwe68cuw3sfcgry9hl9k',
          'ecash:qruxj7zq6yzpdx8dld0e9hfvt7u47zrw9gswqul42q',
          'qq07l6rr5lsdm3m80qxw80ku2ex0tj76vvft48qjaw',
          'qqslmu0jxk4st3ldjyuazfpf5thd6vlgfu395x2elz',
          '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
        ],
        invalid: [
          'pqx578nanz2h2estzmkr53zqdg6qt8xyqvffffffff',
          'ecash:pqx578nanz2h2estzmkr53zqdg6qt8xyqvffffffff',
          'pqx578nanz2h2estzmkr53zqdg6qt8xyqvwhn6qeyc',
          'bitcoincash:pqx578nanz2h2estzmkr53zqdg6qt8xyqvwhn6qeyc',
          'fcash:pqx578nanz2h2estzmkr53zqdg6qt8xyqvh683mrz0',
          'poi578nanz2h2estzmkr53zqdg6qt8xyqvwhn6qeyc',
        ],
      },
      {
        source: 'github.com/Bitcoin-ABC, ecashaddrjs test vectors',
        main: [
          'ecash:ppm2qsznhks23z7629mms6s4cwef74vcwv2zrv3l8h',
          'ecash:pr95sy3j9xwd2ap32xkykttr4cvcu7as4ypg9alspw',
          'ecash:pqq3728yw0y47sqn6l2na30mcw6zm78dzqd3vtezhf',
        ],
        test: [
          'ectest:qpm2qsznhks23z7629mms6s4cwef74vcwvmvqr33lm',
          'ectest:qr95sy3j9xwd2ap32xkykttr4cvcu7as4ysxxjl7ez',
          'ectest:qqq3728yw0y47sqn6l2na30mcw6zm78dzqul0yev09',
          'ectest:ppm2qsznhks23z7629mms6s4cwef74vcwvvfavkjyx',
          'ectest:pr95sy3j9xwd2ap32xkykttr4cvcu7as4y8rmacazl',
          'ectest:pqq3728yw0y47sqn6l2na30mcw6zm78dzqt6jt705c',
          'mrLC19Je2BuWQDkWSTriGYPyQJXKkkBmCx',
        ],
      },
    ],
  },
  {
    network: 'kaspa',
    sources: [
      {
        source:
          'github.com/kaspanet/rusty-kaspa, crypto/addresses/src/lib.rs; prefixes and lengths that are for its tests only are for these',
        main: [
          'kaspa:qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqkx9awp4e',
          'kaspa:qp0l70zd5x85ttwd6jv7g3s3a8llzj96d8dncn4zmhv4tlzx5k2jyqh70xmfj',
        ],
        test: [
          'kaspatest:qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqhqrxplya',
          'kaspatest:qyqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqhe837j2d',
          'kaspatest:qxaqrlzlf6wes72en3568khahq66wf27tuhfxn5nytkd8tcep2c0vrse6gdmpks',
        ],
        invalid: [
          'kaspa:qqqqqqqqqqqqq1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqkx9awp4e',
          'kaspa:qqqqqqqqqqqqq|qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqkx9awp4e',
          'kaspa1:qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqkx9awp4e',
          'kaspaqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqkx9awp4e',
          'kaspa:qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqkx9awp4l',
          'kaspa:qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqkx9awp4e',
          'a:qqeq69uvrh',
          'a:pq99546ray',
          'b:pqsqzsjd64fv',
          'b:ppskycc8txxxn2w',
          'b:pqcnyve5x5unsdekxqeusxeyu2',
          'b:ppskycmyv4nxw6rfdf4kcmtwdac8zunnw36hvamc09aqtpppz8lk',
        ],
      },
      {
        source:
          'addresses of services that explorers and wallets for Kaspa have in their code: PionexUS, CoinEx, Bitget; a test of the miner okminer',
        main: [
          'kaspa:qyp90geyzyp56p4zqd87flxrwd64r557r2cwkuwxzuq9zxehmswcg8g54jmeu7p',
          'kaspa:qpqpyavkqnp60q6t4sfctz4yp3n0ct963z65rxkd5ft32vkehnd3wx8jqctr2',
          'kaspa:qqywx2wszmnrsu0mzgav85rdwvzangfpdj9j3ady9jpr7hu4u8c2wl9wqgd6j',
          'kaspa:qypkgsdgzj89sy3anxlkyamuxkjv064kst76jajw0wqy022vphspf4gxj4qr5m5',
        ],
      },
    ],
  },
]
