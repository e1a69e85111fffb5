/** Published addresses, for tests. */
import type { Vectors } from './vectors.testing.ts'

/** Vectors, each with the source that states it. */
export const dashVectors: readonly Vectors[] = [
  {
    network: 'dash',
    sources: [
      {
        source: 'github.com/christsim/multicoin-address-validator, test/wallet_address_validator.js',
        main: [
          'Xx4dYKgz3Zcv6kheaqog3fynaKWjbahb6b',
          'XcY4WJ6Z2Q8w7vcYER1JypC8s2oa3SQ1b1',
          'XqMkVUZnqe3w4xvgdZRtZoe7gMitDudGs4',
          'XoAAqv3oUYZ6xRjX3brfbf9PotrGanS6Th',
        ],
        test: ['yPv7h2i8v3dJjfSH4L3x91JSJszjdbsJJA', 'yP5oXZQXBfBf9FyfZDpFiKDypxuNUKUV2E'],
      },
      {
        source: 'github.com/mrtnetwork/blockchain_utils, test/address',
        main: [
          'XnXBaoFQb6VwHUypKtSf66f1AX1L9pbPPS',
          'XvvyZTcnkBeCNezVuvFVa7UmTjxqfMEWYH',
          'XimXpyUWMehbqGwJa72PPBUcKU2emgVFa8',
          'XsmSX141ARjsBmsR1uJ5x4STurj5BbYsFu',
          'Xxbx7Yrqiri5oqbKoKVoQZ6BP7g96cGz8p',
          'XiUE9rP8X3EXjoTojpsj7ASthcSyLdiPRx',
          'XhWvBPS5Y5Miz8bRPkPLd1u6r23adsiRLT',
          'XwP1pxkV3tJsRaWjnGL2gfR3AtYbjcWdoy',
          'XufAjF9PtnQztnuQMt3o7854Au3qQJ6UBC',
          'XnK8qDUakaoXKw2rEwk2WTuyJc5e2jUT83',
        ],
        test: [
          'yRqbG81v9EHrKKmzf9bDXB3DeiGjkxCrF8',
          'ycp4EeWABsVCj3auzCpHe2dmM9Kkn6w4bv',
          'ygmML7E5NB5zaFtsKWBwi82ZGzfuMpXXah',
          'yLSUwfRymmgpfrDze8APdmcMaoENTEocs7',
          'ydoyFcArbuZaNvNfvmj2U6mEPXhMkiYFRc',
          'yee3cUayqfzX7jG38FwB1eWySTPErU9js6',
          'yegDe9M8SgnumN3z4nLnQiZr9EyptSZpbf',
          'yY1FCXy3cyBoCVSUpKL7du8b1h6CMNjv7c',
          'yQ2n5BFFGM9jMS7W76DKUWX8T4mtmz1gu8',
          'yYtS3uXzP1TrB37ufJ9JP1HYZMeFpEyRPx',
        ],
      },
      {
        source:
          'github.com/dashpay/dashcore-lib, test/address.js and test/data/bitcoind; white space around an address is for these',
        main: [
          'XgBQcYbKff4q7cEs7AaxoPN2CAiBbFc2JT',
          'XfcbSaK1dtEe6GmNRE5pMS3WYpoJ2D1BDm',
          'XjnkiGYQkC3bbAzvDjP7jkNouHCHNRr3ug',
          'XmWSeuzXVq1mb6GtyTXkYT3UgLo5uVR7XG',
          'XtfsoT5X39fbxyH4h8VJoQ8CVyLjojjUST',
          '7UkJidhNjEPJCQnCTXeaJKbJmL4JuyV66w',
          '7UeWxgzStiyUzmc7YNAbwcktuhCCoEYw9q',
          '7YASvdCDn3r8cnKMGv9bA3qBYA7krjPKSK',
          '7qTBMtjvjtpmqA7UZ581vTwPTFUF7LUqyw',
          '7XuDY2i34qGG3bsfdzbqhs2pRuFay7AsHz',
          'XjN7vAMjVoRv1qM3wyi6QvAMUL3JySADS7',
          'XfzNcxcdGBvYpvYepybHinJkh2Tpo8wAaV',
        ],
        test: [
          '8tS9fgiv8XAmTXxWqJBv7zbeS4jzrGGwxT',
          '91gTi4kws9YV4QX5BLDhyiC6wYbknkk4JE',
          '8jrdZJFinmUy3qpQp4qqn2u6f2DkQyv4C4',
          '8xHGFfzk9r9Nby1aNs6AQhDLYhNNAPe3sq',
          'ygvvbEYBpb3HpVR6LGpKNgfNNZ78jy8YhJ',
          'yitSbZgHcy1quf4h4jobhw6SJ61KFgXiVC',
          'yafMmecBxeDBf5Kfuz1PYvqJk58pEhUncx',
          'yZKdLYCvDXa2kyQr8Tg3N6c3xeZoK7XDcj',
        ],
        invalid: [
          'XfcbSaK1dtEe6GmNRE5pMS3WYpoJ2D1BCn',
          'XjnkiGYQkC3bbAzvDjP7jkNouHCHNRr3vG',
          'XmWSeuzXVq1mb6GtyTXkYT3UgLo5uVR7yg',
          'XtfsoT5X39fbxyH4h8VJoQ8CVyLjojjUst',
          'XfcbSaK1dtE#6GmNRE5pMS3WYpoJ2D1BCn',
          'XjnkiGYOkC3bbAzvDjP7jkNouHCHNRr3vG',
          'XmWSeuzXVq0mb6GtyTXkYT3UgLo5uVR7yg',
          'XtfsoT5X39fbxyH4h8VJOQ8CVyLjojjUst',
          '\t \n7qTBMtjvjtpmqA7UZ581vTwPTFUF7LUqyw \r',
          'CX4WePxBwq1Y6u7VyMJfmmitE7GiTgC9aE',
        ],
      },
      {
        source: 'github.com/dashpay/dash, src/test/data/base58_keys_invalid.json, those of the length of an address',
        invalid: [
          '',
          'x',
          'yaWZmeqWr5Mea62ECoMPzVkXxHGDF6LtCfc',
          'DeRXybcZve86XXanvmLG9XwFadEh8GjH2Y',
          '2Ua8heeYCTTsr5qgi7vorTpDAWVRGRAJKZ7',
          '2A6BvvmZ86GG7TRwXyCaCvhiM5FsVFvs42x',
          'R5uiBq2rzVGhxDsq3MeGU3QKeZz8wLywaB',
          '2D79xmaAZxTf2fMRsTGgkNfMrUErj5CqXNY',
          '2msvzdVt86YVXqkWQBJG136u11REi8cXpn1',
        ],
      },
      {
        source: 'github.com/bisq-network/bisq, assets, DashTest.java',
        main: [
          'XjNms118hx6dGyBqsrVMTbzMUmxDVijk7Y',
          'XjNPzWfzGiY1jHUmwn9JDSVMsTs6EtZQMc',
          'XnaJzoAKTNa67Fpt1tLxD5bFMcyN4tCvTT',
        ],
        invalid: [
          '1XnaJzoAKTNa67Fpt1tLxD5bFMcyN4tCvTT',
          'XnaJzoAKTNa67Fpt1tLxD5bFMcyN4tCvTTd',
          'XnaJzoAKTNa67Fpt1tLxD5bFMcyN4tCvTT#',
        ],
      },
      {
        source: 'github.com/murich/php-cryptocurrency-address-validation, tests/Validation/DASHTest.php',
        main: [
          'Xaj4r3cuJ5LYbrQgZTSQAhneJnjybAAgEN',
          '7SSyVfQK3EbQrmPy7b3j4DKk9vWh7yXZ7R',
          '7STE7NqFACug51jj3h8VqWjCPrePuBw5Q5',
          '7STKNHrd8UgSySdqwrsjCWK9wdcJH7D9jp',
          '7SUvPX3PaXHxwgHF6VnFAnzHiySHbfTmWV',
          '7SWtdwZDy1Ff5L5EZJkb3Fv1nat2e9qXq5',
        ],
        invalid: [
          '1QLbGuc3WGKKKpLs4pBp9H6jiQ2MgPkXRp',
          '3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj',
          'LbTjMGN7gELw4KbeyQf6cTCq859hD18guE',
        ],
      },
      {
        source: 'github.com/sepinf-inc/IPED, DashAddressValidatorServiceTest.java',
        main: [
          'XuA85gm2KNBxbJfRXQ3SWURKVtFcbUeDm8',
          'XjLdaXaTfEWUv6CtKzd31es5RZyLn8xvgw',
          'XmkJKvFwqAzFdV7afGkMU3fcs6Zz4fwQ3x',
          'XbYC7U4k72Dz1LM5MGpuXTXhEeHmSoasGF',
        ],
        invalid: [
          'XjLdaXaTfEWvv6CtKzd31es5RZyLn8xvgw',
          'XmkJKvFwqAzFdV7afGkMU3fcc6Zz4fwQ3x',
          'XuA85gm2KNBxbJfRXQ3sWURKVtFcbUeDm8',
          '1A XbYC7U4k72Dz1LM5MGpuXTXhEeHmSoasGF',
          '1AGNa15ZQXAZUgFiqJ2i7Z2DPU2J6hW62izz',
          '1Q1pE5vPGEEMqRcVRMbtBK842Y6Pzo6nJ9',
          '1AGNa15ZQXAZUgFiqJ2i7Z2DPU2J6hW62I',
        ],
      },
      {
        source: 'github.com/dashpay, dashwallet-ios: CrowdNode; and an address of a script from a public test',
        main: ['XjbaGWaGnvEtuQAUoBgDxJWe8ZNv45upG2', '7ZXhLLCE7CuZDBiggh3yh4YFYek8JJj1i3'],
        test: ['yMY5bqWcknGy5xYBHSsh2xvHZiJsRucjuy'],
      },
    ],
  },
]
