/** Published addresses, for tests. */
import type { Vectors } from './vectors.testing.ts'

/** Vectors, each with the source that states it. */
export const substrateVectors: readonly Vectors[] = [
  {
    network: 'polkadot',
    sources: [
      {
        source:
          'github.com/christsim/multicoin-address-validator, test/wallet_address_validator.js; those of other chains and with the prefix of none are for these',
        main: [
          '1iQPKJmghHbrRhUiMt2cNEuxYbR6S9vYtJKqYvE4PNR9WDB',
          '1FRMM8PEiWXYax7rpS6X4XZX1aAAxSWx1CrKTyrVYhV24fg',
          '15FKUKXC6kwaXxJ1tXNywmFy4ZY6FoDFCnU3fMbibFdeqwGw',
        ],
        test: ['5CK8D1sKNwF473wbuBP6NuhQfPaWUetNsWUNAAzVwTfxqjfr'],
        invalid: [
          'CpjsLDC1JFyrhm3ftC9Gs4QoyrkHKhZKtK7YqGTRFtTafgp',
          'CxDDSH8gS7jecsxaRL9Txf8H5kqesLXAEAEgp76Yz632J9M',
          '1jQPKJmghHbrRhUiMt2cNEuxYbR6S9vYtJKqYvE4PNR9WDB',
          '1FRMM8PEiWXYax7rpS6X4XZX1aAAxSWx1CrKTyrVYhV24fh',
          '5CK8D1sKNwF473wbuBP6NuhQfPaWUetNsWUNAAzVwTfxqjf',
          'pjsLDC1JFyrhm3ftC9Gs4QoyrkHKhZKtK7YqGTRFtTafgp',
          '15FKUKXC6kwaXxJ1tNywmFy4ZY6FoDFCnU3fMbibFdeqwGw',
          'CxDDSH8gS7jecsxaRL8Txf8H5kqesLXAEAEgp76Yz632J9M',
        ],
      },
      {
        source:
          'github.com/trustwallet/wallet-core, rust/tw_tests/tests/chains/polkadot; the prefix 42 is of test chains too, and not taken for wrong here',
        main: [
          '12dyy3fArMPDXLsnRtapTqZsC2KCEimeqs1dop4AEERaKC6x',
          '15KRsCq9LLNmCxNFhGk55s5bEyazKefunDxUH24GFZwsTxyu',
          '15AeCjMpcSt3Fwa47jJBd7JzQ395Kr2cuyF5Zp4UBf1g9ony',
        ],
        test: ['5FqqU2rytGPhcwQosKRtW1E3ha6BJKAjHgtcodh71dSyXhoZ'],
        invalid: [
          '5DhgpiQ6za7k5osGUFXpKgjiLQKYYRDWmNH9eX4og9Q48huk...',
          '1ES14c7qLb5CYhLMUekctxLgc1FV2Ti9DA',
          'FHKAe66mnbk8ke8zVWE9hFVFrJN1mprFPVmD5rrevotkcDZ',
          'FxQFyTorsjVsjjMyjdgq8w5vGx8LiA1qhWbRYcFijxKKchx',
          'EJ5UJ12GShfh7EWrcNZFLiYU79oogdtXFUuDDZzk7Wb2vCe',
          'cEYtw6AVMB27hFUs4gVukajLM7GqxwxUfJkbPY3rNToHMcCgb',
        ],
      },
      {
        source: 'github.com/mrtnetwork/blockchain_utils, test/address',
        test: ['5GWZaTfBHVqf2pCGYnpZSVnU92QRmgaTeTnkw7NoXyn4BHCU'],
      },
    ],
  },
  {
    network: 'kusama',
    sources: [
      {
        source: 'github.com/trustwallet/wallet-core, rust/tw_tests/tests/chains/kusama',
        main: [
          'FHKAe66mnbk8ke8zVWE9hFVFrJN1mprFPVmD5rrevotkcDZ',
          'FxQFyTorsjVsjjMyjdgq8w5vGx8LiA1qhWbRYcFijxKKchx',
          'EJ5UJ12GShfh7EWrcNZFLiYU79oogdtXFUuDDZzk7Wb2vCe',
          'Fu3r514w83euSVV7q1MyFGWErUR2xDzXS2goHzimUn4S12D',
        ],
        test: ['5FqqU2rytGPhcwQosKRtW1E3ha6BJKAjHgtcodh71dSyXhoZ'],
        invalid: ['15AeCjMpcSt3Fwa47jJBd7JzQ395Kr2cuyF5Zp4UBf1g9ony', '1ES14c7qLb5CYhLMUekctxLgc1FV2Ti9DA'],
      },
      {
        source:
          'github.com/christsim/multicoin-address-validator, test/wallet_address_validator.js, where it stands among those of Polkadot',
        main: ['CpjsLDC1JFyrhm3ftC9Gs4QoyrkHKhZKtK7YqGTRFtTafgp', 'CxDDSH8gS7jecsxaRL9Txf8H5kqesLXAEAEgp76Yz632J9M'],
        test: ['5CK8D1sKNwF473wbuBP6NuhQfPaWUetNsWUNAAzVwTfxqjfr'],
        invalid: [
          '1iQPKJmghHbrRhUiMt2cNEuxYbR6S9vYtJKqYvE4PNR9WDB',
          '1FRMM8PEiWXYax7rpS6X4XZX1aAAxSWx1CrKTyrVYhV24fg',
          '15FKUKXC6kwaXxJ1tXNywmFy4ZY6FoDFCnU3fMbibFdeqwGw',
          '1jQPKJmghHbrRhUiMt2cNEuxYbR6S9vYtJKqYvE4PNR9WDB',
          '1FRMM8PEiWXYax7rpS6X4XZX1aAAxSWx1CrKTyrVYhV24fh',
          '5CK8D1sKNwF473wbuBP6NuhQfPaWUetNsWUNAAzVwTfxqjf',
          'pjsLDC1JFyrhm3ftC9Gs4QoyrkHKhZKtK7YqGTRFtTafgp',
          '15FKUKXC6kwaXxJ1tNywmFy4ZY6FoDFCnU3fMbibFdeqwGw',
          'CxDDSH8gS7jecsxaRL8Txf8H5kqesLXAEAEgp76Yz632J9M',
        ],
      },
      {
        source: 'github.com/mrtnetwork/blockchain_utils, test/address',
        main: ['ERhckLKG8dSw7uSH3pixNMkE3LvRRh6wB47BxRteGgcbzjb'],
        test: ['5GWZaTfBHVqf2pCGYnpZSVnU92QRmgaTeTnkw7NoXyn4BHCU'],
      },
    ],
  },
]
