/** Published addresses, for tests. */
import type { Vectors } from './vectors.testing.ts'

/** Vectors, each with the source that states it. */
export const xrpVectors: readonly Vectors[] = [
  {
    network: 'xrp-ledger',
    sources: [
      {
        source: 'github.com/XRPLF/xrpl.js, packages/ripple-address-codec/test/index.test.ts',
        main: [
          'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ',
          'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu',
          'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGo2K5VpXpmCqbV2gS',
          'X7AcgcsBL6XDcUb289X4mJ8djcdyKaLFuhLRuNXPrDeJd9A',
          'XVZVpQj8YSVpNyiwXYSqvQoQqgBttTxAZwMcuJd4xteQHyt',
          'X7YenJqxv3L66CwhBSfd3N8RzGXxYqPopMGMsCcpho79rex',
          'X7YenJqxv3L66CwhBSfd3N8RzGXxYqV56ZkTCa9UCzgaao1',
          'X7d3eHCXzwBeWrZec1yT24iZerQjYL8m8zCJ16ACxu1BrBY',
          'X7d3eHCXzwBeWrZec1yT24iZerQjYLo2CJf8oVC5CMWey5m',
          'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb',
        ],
        test: [
          'T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ',
          'T719a5UwUCnEs54UsxG9CJYYDhwmFCvbJNZbi37gBGkRkbE',
          'T719a5UwUCnEs54UsxG9CJYYDhwmFCvqXVCALUGJGSbNV3x',
          'T719a5UwUCnEs54UsxG9CJYYDhwmFCziiNHtUukubF2Mg6t',
          'TVVrSWtmQQssgVcmoMBcFQZKKf56QscyWLKnUyiuZW8ALU4',
          'T77wVQzA8ntj9wvCTNiQpNYLT5hmhRsFyXDoMLqYC4BzQtV',
        ],
        any: [
          'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59',
          'rLczgQHxPhWtjkaQqn3Q6UM8AbRbbRvs5K',
          'rpZc4mVfWUif9CRoHRKKcmhu1nx2xktxBo',
          'rsA2LpzuawewSBQXkiju3YQTMzW13pAAdW',
          'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf',
          'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY',
        ],
        invalid: [
          'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXa',
          'dGzKGt8CVpWoa8aWL1k18tAdy9Won3PxynvbbpkAqp3V47g',
          'XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8zeUygYrCgrPh',
          'r',
        ],
      },
      {
        source: 'github.com/trustwallet/wallet-core, rust/chains/tw_ripple/tests/x_address.rs',
        main: [
          'X76UnYEMbQfEs3mUqgtjp4zFy9exgThRj7XVZ6UxsdrBptF',
          'X76UnYEMbQfEs3mUqgtjp4zFy9exgTsM93nriVZAPufrpE3',
          'XVfvixWZQKkcenFRYApCjpTUyJ4BePTe3jJv7beatUZvQYh',
        ],
        any: [
          'r36yxStAh7qgTQNHTzjZvXybCTzUFhrfav',
          'rJHMeqKu8Ep7Fazx8MQG6JunaafBXz93YQ',
          'rnBFvgZphmN39GWzUJeUitaP22Fr9be75H',
        ],
        invalid: [
          'X76UnYEMbQfEs3mUqgtjp4zFy9exgSybYUh1taorDmyP7YL',
          '1Ma2DrB78K7jmAwaomqZNRMCvgQrNjE2QC',
          'rJHMeqKu8Ep7Fazx8MQG6JunaafBXz93YQX',
        ],
      },
      {
        source: 'github.com/christsim/multicoin-address-validator, test/wallet_address_validator.js',
        any: [
          'rG1QQv2nh2gr7RCZ1P8YYcBUKCCN633jCn',
          'r3kmLJN5D28dHuH8vZNUZpMC43pEHpaocV',
          'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
          'rDTXLQ7ZKZVKz33zJbHjgVShjsBnqMBhmN',
        ],
        invalid: [
          'rG1QQv2nh2gr7RCZ1P8YYcBUKCCN633jCN',
          'rDTXLQ7ZKZVKz33zJbHjgVShjsBnqMBhMN',
          '6xAff4d6793F584a473348EbA058deb8ca',
          'DJ53hTyLBdZp2wMi5BsCS3rtEL1ioYUkva',
        ],
      },
    ],
  },
]
