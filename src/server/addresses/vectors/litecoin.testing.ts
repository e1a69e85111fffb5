/** Published addresses, for tests. */
import type { Vectors } from './vectors.testing.ts'

/** Vectors, each with the source that states it. */
export const litecoinVectors: readonly Vectors[] = [
  {
    network: 'litecoin',
    sources: [
      {
        source:
          'github.com/christsim/multicoin-address-validator, test/wallet_address_validator.js; of those that it takes for the test chain',
        main: [
          'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9',
          'LTpYZG19YmfvY2bBDYtCKpunVRw7nVgRHW',
          'Lb6wDP2kHGyWC7vrZuZAgV7V4ECyDdH7a6',
          'MQMcJhpWHYVeQArcZR3sBgyPZxxRtnH441',
          'ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea',
        ],
        test: [
          'mzBc4XEFSdzCDcTxAgf6EZXgsZWpztRhef',
          '2MxKEf2su6FGAUfCEAHreGFQvEYrfYNHvL7',
          '2N5jUhwzndtTUXspDGJkAvP7WCCRLQkgMfX',
          'QW2SvwjaJU8LD6GSmtm1PHnBG2xPuxwZFy',
          'QjpzxpbLp5pCGsCczMbfh1uhC3P89QZavY',
          'tltc1qu78xur5xnq6fjy83amy0qcjfau8m367defyhms',
          'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
        ],
      },
      {
        source: 'github.com/trustwallet/wallet-core, tests/common/CoinAddressValidationTests.cpp',
        main: [
          'ltc1q5wmm9vrz55war9c0rgw26tv9un5fxnn7slyjpy',
          'MPmoY6RX3Y3HFjGEnFxyuLPCQdjvHwMEny',
          'ltc1qhkfq3zahaqkkzx5mjnamwjsfpq2jk7z0tamvsu',
          'LW6HjAU6GL9fK2LZWUA6VZCzomTdrpx3nr',
        ],
        invalid: ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'xtc1qhkfq3zahaqkkzx5mjnamwjsfpq2jk7z0tamvsu'],
      },
      {
        source: 'github.com/ltcmweb/ltcd and wallets that use it: addresses of Mimblewimble blocks',
        main: [
          'ltcmweb1qq20e2arnhvxw97katjkmsd35agw3capxjkrkh7dk8d30rczm8ypxuq329nwh2twmchhqn3jqh7ua4ps539f6aazh79jy76urqht4qa59ts3at6gf',
          'ltcmweb1qqwkdldufg0enxpphwc8rwucc9ru6h43x5uklzm78ektgmufmw3j6kqu76qqw66w204vn7zddfgmnyq9ujugjvx4t2mhuqkuj5h4tgd8cvs6gg076',
          'ltcmweb1qqt9rwznnxzkghv4s5wgtwxs0m0ry6n3atp95f47slppapxljde3xyqmdlnrc8ag7y2k354jzdc4pc4ks0kr43jehr77lngdecgh6689nn5mgv5yn',
        ],
        invalid: [
          'ltcmweb1pqt9rwznnxzkghv4s5wgtwxs0m0ry6n3atp95f47slppapxljde3xyqmdlnrc8ag7y2k354jzdc4pc4ks0kr43jehr77lngdecgh6689nn5mgv5yn',
          'ltc1qhdhvrwe6rgqns8fz28tee0hphr5x7ulw5exv4x',
        ],
      },
    ],
  },
  {
    network: 'dogecoin',
    sources: [
      {
        source: 'github.com/christsim/multicoin-address-validator, test/wallet_address_validator.js',
        main: [
          'DPpJVPpvPNP6i6tMj4rTycAGh8wReTqaSU',
          'DNzLUN6MyYVS5zf4Xc2yK69V3dXs6Mxia5',
          'DPS6iZj7roHquvwRYXNBua9QtKPzigUUhM',
          'A7JjzK9k9x5b2MkkQzqt91WZsuu7wTu6iS',
        ],
        test: ['2MxKEf2su6FGAUfCEAHreGFQvEYrfYNHvL7'],
      },
      {
        source: 'github.com/trustwallet/wallet-core, tests/common/CoinAddressValidationTests.cpp',
        main: ['DHKM6NDUUv9kaHAGi1QU7MRBNKfQiAdP3F'],
        invalid: [
          'NmH7tmeJUmHcncBDvpr7aJNEBk7rp5zYsB1qt',
          'tz1eZwq8b5cvE2bPKokatLkVMzkxz24z3AAAA',
          '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
        ],
      },
      {
        source: 'github.com/mrtnetwork/blockchain_utils, test/address',
        main: [
          'DRq8DVXBXNHTPyBctM1Wdx39wUxU47Fwyt',
          'DNZp4h1dMXjif7L8GQa5KwYnnkv9DnLC8Y',
          'DEcv1vHTzKxxmSuVZpszTiqNNpCxojHDu8',
          'D8wyF6ApXaDV62ABucqF3xDQks98JWsCZm',
          'DNTXkLkZxpRgeUGdnfpdyByqzJC3k92RQx',
        ],
        test: [
          'nWQvRZTkyPzDmB5MnnwvRxDYdbpxXaHRgk',
          'nbD3dEvDuaCGViR9RrVwhBAFPL2AraNJVz',
          'niPeWWxsevRWBPRCDNyUQgoR4AhraDAw48',
          'nVGr9WPCdA5RumWeik1FEEipYEsGZ8nm5t',
          'nhZzH5grkboNXEhPt6DCiCkWcPcEnWF3LT',
          'ns423XcAxf758tMhFMJFFvnypk8rTob6GD',
          'noC2h2AmmKQ4tErXyx5CGTzg9wnLSyKGmd',
          'njYCrJY4fuKjPrpJiU8BupoA7TgJ3FWtZp',
        ],
      },
    ],
  },
]
