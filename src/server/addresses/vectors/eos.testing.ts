/** Published addresses, for tests. */
import type { Vectors } from './vectors.testing.ts'

/** Vectors, each with the source that states it. */
export const eosVectors: readonly Vectors[] = [
  {
    network: 'eos',
    sources: [
      {
        source:
          'github.com/christsim/multicoin-address-validator, test/wallet_address_validator.js; it takes digits that no name has (docs.eosnetwork.com: 1 to 5)',
        any: ['bittrexacct1', 'binancecleos'],
        invalid: [
          '123456789012',
          '12345678.012',
          '1234567890123',
          '12345678901',
          '12345678901@',
          'EOS65QzSGJ579GPNKtZoZkChTzsxR4B48RCfiS82m2ymJR6VZCjT',
        ],
      },
      {
        source: 'accounts of the system and of services',
        any: [
          'eosio',
          'eosio.token',
          'eosio.msig',
          'eosio.stake',
          'eosio.ram',
          'tethertether',
          'bitfinexdep1',
          'okbtothemoon',
          'huobideposit',
          'krakenkraken',
          'core.vaulta',
        ],
      },
      {
        source:
          'github.com/EOSIO/eosio.cdt, tests/unit/name_tests.cpp; names of thirteen characters are names of other things, not of accounts (docs.eosnetwork.com)',
        any: [
          'abc',
          '123',
          '.abc',
          '.a.b.c.1.2.3',
          'abc.123',
          '123.abc',
          'eosioaccount',
          'eos.ioa.cco',
          'a.my.account',
        ],
        invalid: [
          '-1',
          '0',
          '6',
          '111111111111k',
          'zzzzzzzzzzzzk',
          '12345abcdefghj',
          '12345abcdefgj',
          'tuvwxyz.1234j',
          'eosioaccountj',
          '123.',
          '.a.b.c.1.2.3.',
        ],
      },
      {
        source:
          'github.com/horizontalsystems/unstoppable-wallet-android, EosAdapterTest.kt; it takes a name of thirteen characters (docs.eosnetwork.com: 12)',
        any: ['wwwsalmonco', 'wwwsalmoncom', 'abc', 'a.b', '.a', 'booleanjulie', 'tbcox123', '1.3.5'],
        invalid: ['wwwsalmoncoma', 'wwwsalmonc.', 'Wwwsalmoncom', '.', 'aa.', 'booleanjulien', 'tbvox456', 'tbVOX'],
      },
      {
        source: 'made for these tests; each breaks a rule of docs.eosnetwork.com',
        isOwn: true,
        invalid: [
          'eosio.',
          'EOSIO',
          'eos_token',
          'eosio token',
          '0eosio',
          'abcdefghijklmn',
          'alice@eosio',
          'tether6789',
        ],
      },
    ],
  },
]
