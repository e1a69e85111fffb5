/** Published addresses, for tests. */
import type { Vectors } from './vectors.testing.ts'

/** Vectors, each with the source that states it. */
export const hexVectors: readonly Vectors[] = [
  {
    network: 'ethereum',
    sources: [
      {
        source:
          'EIP-55, test cases; github.com/christsim/multicoin-address-validator, test/wallet_address_validator.js',
        any: [
          '0xE37c0D48d68da5c5b14E5c1a9f1CFE802776D9FF',
          '0xa00354276d2fC74ee91e37D085d35748613f4748',
          '0xAff4d6793F584a473348EbA058deb8caad77a288',
          '0xc6d9d2cd449a754c494264e1809c50e34d64562b',
          '0x52908400098527886E0F7030069857D2E4169EE7',
          '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
          '0xde709f2102306220921060314715629080e2fb77',
          '0x27b1fdb04752bbc536007a920d24acb045561c26',
          '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
          '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
          '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
          '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
        ],
        invalid: [
          '6xAff4d6793F584a473348EbA058deb8caad77a288',
          '0x02fcd51aAbB814FfFe17908fbc888A8975D839A5',
          '0XD1220A0CF47C7B9BE7A2E6BA89F429762E7B9ADB',
          'aFf4d6793f584a473348ebA058deb8caad77a2885',
          '0xff4d6793F584a473',
        ],
      },
      {
        source: 'github.com/trustwallet/wallet-core, rust/tw_evm/src/address.rs and tests/common',
        any: [
          '0xeDe8F58dADa22c3A49dB60D4f82BAD428ab65F89',
          '0xb16db98b365b1f89191996942612b14f1da4bd5f',
          '0xb16Db98B365B1f89191996942612B14F1Da4Bd5f',
          '0x4D1A2e2bB4F88F0250f26Ffff098B0b30B26BF38',
          '0xB928f69Bb1D91Cd65274e3c79d8986362984fDA3',
        ],
        invalid: [
          'ede8f58dada22a49db60d4f82bad428ab65f89',
          'b16Db98B365B1f89191996942612B14F1Da4Bd5f',
          '0xaaeb60f3e94c9b9a09f33669435e7ef1beaed',
          'fB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
        ],
      },
      {
        source: 'github.com/mrtnetwork/blockchain_utils, test/address',
        any: [
          '0xe720947F2A6Faf66d639E11D4466B61D637587af',
          '0xde42e41b5825944cDE383643C1771D592759C348',
          '0x0f3Ef3e74a93Ff31B6B2d281C3E3c4671486058a',
          '0x77c004043696b09E4F01bA48a78D12a9472cCB7C',
          '0x30Ee2e87D6adBFcc4d3918b4C7e49BcaFb9E6D47',
          '0x613c8B79f137112f60EC15cC1077B9b1460d6bAB',
        ],
      },
    ],
  },
  {
    network: 'aptos',
    sources: [
      {
        source:
          'github.com/trustwallet/wallet-core, rust/tw_tests/tests/chains/aptos; special addresses as 0x1 take no deposits',
        any: [
          '0xeeff357ea5c1a4e7bc11b2b17ff2dc2dcca69750bfef1e1ebcaccf8c8018175b',
          '0xf3d7f364dd7705824a5ebda9c7aab6cb3fc7bb5b58718249f12defec240b36cc',
          '0x03d7f364dd7705824a5ebda9c7aab6cb3fc7bb5b58718249f12defec240b36cc',
          '0x9006fa46f038224e8004bdda97f2e7a60c2c3d135bce7cb15541e5c0aae907a4',
        ],
        invalid: [
          '0xb',
          '0xs',
          '0x01',
          'eeff357ea5c1a4e7bc11b2b17ff2dc2dcca69750bfef1e1ebcaccf8c8018175b',
          '0x777821c78442e17d82c3d7a371f42de7189e4248e529fe6eee6bca40ddbb',
          '0xeeff357ea5c1a4e7bc11b2b17ff2dc2dcca69750bfef1e1ebcaccf8c8018175',
          'Seff357ea5c1a4e7bc11b2b17ff2dc2dcca69750bfef1e1ebcaccf8c8018175b',
          '0xeeff357ea5c1a4e7bc11b2b17ff2dc2dcca69750bfef1e1ebcaccf8c8018175bb',
          '0xSeff357ea5c1a4e7bc11b2b17ff2dc2dcca69750bfef1e1ebcaccf8c8018175b',
        ],
      },
      {
        source:
          'github.com/christsim/multicoin-address-validator, test/wallet_address_validator.js; those that miss a zero are not by AIP-40',
        any: [
          '0xaabf25b0c115130a4ad88bfa08627c5a103b7851e90869c23fadaf0512dd5133',
          '0xdce6ab89a1d26c99491a70fd4a2536d065925114deee916a1ae7d35007f4dedf',
          '0xd05448f15a03f25b2816c4538b72bd54752ba7522d4831a4c9ea5a613becb47a',
          '0x39f521d22f611a4dec2f790fef2e4f8d1f96550509e85beccf8acec52c1a7219',
        ],
        invalid: [
          '0xE37c0D48d68da5c5b14E5c1a9f1CFE802776D9FF',
          '0xa00354276d2fC74ee91e37D085d35748613f4748',
          '0xAff4d6793F584a473348EbA058deb8caad77a288',
          '0xc6d9d2cd449a754c494264e1809c50e34d64562b',
          '1669599662',
        ],
      },
      {
        source: 'github.com/mrtnetwork/blockchain_utils, test/address',
        any: [
          '0xf39c7ccfdc836e0ba4ef24cd9c1d30887aabe35710d8c5384464f3985f8387c3',
          '0x98ee38d6d1f85c8896d02776767b815944f1f6d96d6cca798048f5d91e01d0b8',
          '0x1910f6ee98c26187f1b13fde6485d5db24c1b5efe85c864b1b8b72cca854c32e',
          '0x2274299cf6bd650007094e982d2575eb31b10e56cf5d76353334d600eb20a6d5',
          '0x0a923c0b56623e687d1b0dd7bb701c700b1bc084eceb021f8368d557f8240ba9',
          '0x1012560fc50723abcf4e1d940fb0f41a33191331d57499d9b684d39b756a4720',
          '0xbf642bc1f8961d3ed20db39c7b36b2bb624100716d32487f6244c4e2b853dc27',
          '0xdc252daf66db6c05442fd575a7e5207c103c2cfbcc0c106dfe35d8fee5221313',
        ],
      },
    ],
  },
  {
    network: 'sui',
    sources: [
      {
        source: 'github.com/trustwallet/wallet-core, rust/tw_tests/tests/chains/sui',
        any: [
          '0x259ff8074ab425cbb489f236e18e08f03f1a7856bdf7c7a2877bd64f738b5015',
          '0x0cf10169225a251113b3198dc81d15ba72286f73353a8212f03bad10bd0f0a99',
        ],
        invalid: [
          '0xb1dc06bd64d4e179a482b97bb68243f6c02c1b92',
          'b1dc06bd64d4e179a482b97bb68243f6c02c1b92',
          'd575ad7f18e948462a5cf698f564ef394a752a71fec62493af8a055c012c0d502',
          'b1dc06bd64d4e179a482b97bb68243f6c02c1b9',
          '0x11',
          '0xS59ff8074ab425cbb489f236e18e08f03f1a7856bdf7c7a2877bd64f738b5015',
        ],
      },
      {
        source: 'github.com/mrtnetwork/blockchain_utils, test/address',
        any: [
          '0x6fdcc2f897040a34c33e1064fda3edab9148b78148300cd7a33d137b1e006ca4',
          '0x5960c7eb1d1133e33f8ca46367e8fb2988d32a7e865f613fd248ccf6a27fb77d',
          '0x74d08692f313874d7332d9195271c52595a929f07d1451e162bd73fb4621b359',
          '0x6c09301bcb9b08b4ecf0739e8722a913b4c41b6c13526818ade266d4f3df09e0',
          '0xa4ee854f079b75f3e77c36b8b7791f387231de37af6a05b2ca761721e754d47c',
          '0xbd4aed1aa03f2934ee26284ac20e7b29dbef499d8be2bbbfc4ce852ff524cbbe',
          '0x61d2004303d115627a8c51a89bf0ddc2bbc4e6b538932887d1000e98c3819d73',
          '0x5967d723aadee8acb7061aa0849f5c15f3c584a17ce934ee3c9bdaa9c5773c2b',
          '0x767bcd0e20b57d2a5cdc82e1a8030110c1e7958575b88b5d174a1047f601fa3c',
          '0xca3b384792e66e2a255fdbf274d495af1b05e1c94536c5e0c9dd64e57fa312b9',
          '0x494312728a1904dc6571d8ca59577a15c5da5c95448ee667cda69bf2194b8e52',
          '0xd56d84d660ef19d4003eae1488e7f9b0b79b1e28307f3622638a0b23f7646e1c',
          '0xc52c3643e56c012160e93af72aeb54fa07620bba3fe21351df4b22f170701d69',
          '0xb4ba107f9374cbccf7299697160bc8a75bc0c502c51ae3aa1119265a040c6c86',
        ],
      },
    ],
  },
  {
    network: 'starknet',
    sources: [
      {
        source:
          'github.com/starknet-io/starknet.js, __tests__/utils/address.test.ts; what misses the prefix or more than four digits is not taken',
        any: [
          '0x7ee790591d9fa3efc87067d95a643f8455e0b8190eb8cb7bfd39e4fb7571fdf',
          '0x02Fd23d9182193775423497fc0c472E156C57C69E4089A1967fb288A2d84e914',
          '0x2fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e914',
          '0x26cb0b500d175111341fabb53bf7fa4f5a0b8c5cbb31896cec1e8383a5edda8',
        ],
        invalid: [
          'test',
          '0xZZ',
          '0x',
          '0xa7ee790591d9fa3efc87067d95a643f8455e0b8190eb8cb7bfd39e4fb7571fdf',
          '0x07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff01',
          '0x6eff1d71',
          '0x000000000000000000000000000000000000000000000000000000006eff1d71000',
          '6eff1d71068df8e6677f59a556151c56ed13e14ad431a9bef6fcb3fc5e6fa7',
          '0x2FD23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e914',
        ],
      },
      {
        source: 'docs.starknet.io and voyager.online: contracts of STRK, ETH, USDC and USDT',
        any: [
          '0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d',
          '0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7',
          '0x053c91253bc9682c04929ca02ed00b3e423f6710d2ee7e0d5ebb06f3ecf368a8',
          '0x068f5c6a61780768455de69077e07e89787839bf8166decfbf92b645209c0fb8',
        ],
      },
      {
        source: 'github.com/onlydustxyz/marketplace-api and snapshot-labs/stamp, tests',
        any: [
          '0x048fa41160CF328a766fd6528915aA5836bE1a1548b6Da62201ba1c7175736bA',
          '0x0788b45a11Ee333293a1d4389430009529bC97D814233C2A5137c4F5Ff949905',
          '0x07ff6b17f07c4d83236e3fc5f94259a19d1ed41bbcf1822397ea17882e9b038d',
          '0x040f81578c2ab498c1252fdebdf1ed5dc083906dc7b9e3552c362db1c7c23a02',
        ],
      },
    ],
  },
]
