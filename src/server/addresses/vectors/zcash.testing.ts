/** Published addresses, for tests. */
import type { Vectors } from './vectors.testing.ts'

/** Vectors, each with the source that states it. */
export const zcashVectors: readonly Vectors[] = [
  {
    network: 'zcash',
    sources: [
      {
        source:
          'github.com/zcash/zcash-test-vectors, unified_address.json; revision 2 is a draft, and receivers of unknown types make them too long',
        main: [
          'u1l8xunezsvhq8fgzfl7404m450nwnd76zshscn6nfys7vyz2ywyh4cc5daaq0c7q2su5lqfh23sp7fkf3kt27ve5948mzpfdvckzaect2jtte308mkwlycj2u0eac077wu70vqcetkxf',
          'u1fl5mprj0t9p4jg92hjjy8q5myvwc60c9wv0xachauqpn3c3k4xwzlaueafq27dcg7tzzzaz5jl8tyj93wgs983y0jq0qfhzu6n4r8rakpv5f4gg2lrw4z6pyqqcrcqx04d38yunc6je',
          'u1qxqf8ctkxlsdh7xdcgkdtyw4mku7dxma8tsz45xd6ttgs322gdk7kazg3sdn52z7na3tzcrzf7lt3xrdtfp9d4pccderalchvvxk8hghduxrky5guzqlw65fmgp6x7aj4k8v5jkgwuw',
          'u1pg2aaph7jp8rpf6yhsza25722sg5fcn3vaca6ze27hqjw7jvvhhuxkpcg0ge9xh6drsgdkda8qjq5chpehkcpxf87rnjryjqwymdheptpvnljqqrjqzjwkc2ma6hcq666kgwfytxwac8eyex6ndgr6ezte66706e3vaqrd25dzvzkc69kw0jgywtd0cmq52q5lkw6uh7hyvzjse8ksx',
          'u19mzuf4l37ny393m59v4mxx4t3uyxkh7qpqjdfvlfk9f504cv9w4fpl7cql0kqvssz8jay8mgl8lnrtvg6yzh9pranjj963acc3h2z2qt7007du0lsmdf862dyy40c3wmt0kq35k5z836tfljgzsqtdsccchayfjpygqzkx24l77ga3ngfgskqddyepz8we7ny4ggmt7q48cgvgu57mz',
          'u1mtxw5nras5glkxz093282sv3n2h8qs7cpxcmmaxj96vtzjzl6rmdaxs4e9es7mxwmd0h3k5wz3ce4ll5g4jz2pn9su4pufq74pxhp4t235n6j7aed3hh8ss7pf3sekf7apsf6vtg84ue5zcq2k9q3xv5yth3q50fu4czdm8sn8q4de3m5k76g2vwwyjsf50hqfxgmwxqxu0rsy22ktw',
          'u1ay3aawlldjrmxqnjf5medr5ma6p3acnet464ht8lmwplq5cd3ugytcmlf96rrmtgwldc75x94qn4n8pgen36y8tywlq6yjk7lkf3fa8wzjrav8z2xpxqnrnmjxh8tmz6jhfh425t7f3vy6p4pd3zmqayq49efl2c4xydc0gszg660q9p',
          'u19a4vmx7ysmtavmnaz4d2dgl9pyshexw35rl5ezg5dkkxktg08p42lng7kf9hqtn2fhr63qzyhe8gtnvgtfl9yvne46x6zfzwgedx7c0chnrxty0k5r5qqph8k02zs8e3keul9vj8myju7rvqgjaysa9kt0fucxpzuky6kf0pjgy0a6hx',
        ],
        invalid: [
          'zu1wpmyzjrdtsw2n0kgku0pr6raf7jhwe70e45ucfcruk9qrxv59fxegvrlwmqs8uydq57re5rm79eth5hu5hzcqetl39nphtyp74qu5prrpwy8kzqlxagwz24f2c3z0939mwt3cngyfrx5nyk270q4eaj5jqdqepadhq4n6kmf0cdca58t',
          'zu1qyz92l26mq5kxl5x2m8krmfreht5derhyu0h8zqrv7ayz3w8kcmn2u76hv4z87ujke777cwrmax8e3hw6033w37zzqahhwujyfegrcz239qkqty6u2mtzv2xx902acj00602q8huf7g5g4kjmm6r94cere77r3j3m3lcfxzwvv570x2z',
        ],
      },
      {
        source: 'github.com/trustwallet/wallet-core, rust/tw_tests/tests/chains/zcash',
        main: [
          't1RygJmrLdNGgi98gUgEJDTVaELTAYWoMBy',
          't1TWk2mmvESDnE4dmCfT7MQ97ij6ZqLpNVU',
          't3RD6RFKhWSotNbPEY4Vw7Ku9QCfKkzrbBL',
          't1Wg9uPPAfwhBWeRjtDPa5ZHNzyBx9rJVKY',
          't1TKCtCETHPrAdA6eY1fdhhnTkTmb371oPt',
          't1cWhcXydPYTG1pgHMsZ6JEPsWGxVMdJ5t6',
          'tex1auz6gx89x2wcku6gswdvaz2nf9x3seex6px6v0',
          'tex1s2rt77ggv6q989lr49rkgzmh5slsksa9khdgte',
          't3WeKQDxCijL5X7rwFem1MTL9ZwVJkUFhpF',
          't1aQ1JEFMqciA58XU6CR8CNohAYzESm8c1L',
        ],
        invalid: [
          'abc',
          '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
          '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W',
          't1RygJmrLdNGgi98+UgEJDTVaELTAYWoMBy',
          't1RygJmrLdNGgi98gUgEJDTVaELTAYW',
          't1RygJmrLdNGgi98gUgEJDTVaELTAYWoMBz',
          'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC',
          '2NRbuP5YfzRNEa1RibT5kXay1VgvQHnydZY1',
          'textest1auz6gx89x2wcku6gswdvaz2nf9x3seex6px6v0',
        ],
      },
      {
        source: 'github.com/christsim/multicoin-address-validator, test/wallet_address_validator.js',
        main: ['t1U9yhDa5XEjgfnTgZoKddeSiEN1aoLkQxq', 't3Vz22vK5z2LcKEdg16Yv4FFneEL1zg9ojd'],
        test: ['t2UNzUUx8mWBCRYPRezvA363EYXyEpHokyi'],
        invalid: [
          't1Y9yhDa5XEjgfnTgZoKddeSiEN1aoLkQxq',
          't3Yz22vK5z2LcKEdg16Yv4FFneEL1zg9ojd',
          't2YNzUUx8mWBCRYPRezvA363EYXyEpHokyi',
        ],
      },
      {
        source: 'github.com/mrtnetwork/blockchain_utils, test/address',
        main: [
          't1bQVBWqSRNUgfxRDGJLdSJBRZ25RnZafwq',
          't1f3Ccx473nPJBzWvJP81wJNN7zsrHeLtJH',
          't1QhDwj571FMtQUYZhvZQeDraTcqnvEAgUL',
        ],
        test: [
          'tmKupsDfg18XXwMXPxDipw5ab1E4RSXosGB',
          'tmSsKaAhFgCgJsDKUvKRv1pQzDc4eh2wRAa',
          'tmStXFFESwoB2gc7TWgweFvYe2qbcHKj63u',
        ],
      },
      {
        source:
          'github.com/zcash/librustzcash, tests of encoding; ZIP-321 and tests of the wallet SDKs. Sprout takes no deposits any more (ZIP-211)',
        main: ['zs1qqqqqqqqqqqqqqqqqqcguyvaw2vjk4sdyeg0lc970u659lvhqq7t0np6hlup5lusxle75c8v35z'],
        test: [
          'ztestsapling1qqqqqqqqqqqqqqqqqqcguyvaw2vjk4sdyeg0lc970u659lvhqq7t0np6hlup5lusxle75ss7jnk',
          'zregtestsapling1qqqqqqqqqqqqqqqqqqcguyvaw2vjk4sdyeg0lc970u659lvhqq7t0np6hlup5lusxle7505hlz3',
          'ztestsapling10yy2ex5dcqkclhc7z7yrnjq2z6feyjad56ptwlfgmy77dmaqqrl9gyhprdx59qgmsnyfska2kez',
          'ztestsapling1fg82ar8y8whjfd52l0xcq0w3n7nn7cask2scp9rp27njeurr72ychvud57s9tu90fdqgwdt07lg',
          'ztestsapling1ctuamfer5xjnnrdr3xdazenljx0mu0gutcf9u9e74tr2d3jwjnt0qllzxaplu54hgc2tyjdc2p6',
        ],
        invalid: ['zcU1Cd6zYyZCd2VJF8yKgmzjxdiiU1rgTTjEwoN1CGUWCziPkUTXUjXmX7TMqdMNsTfuiGN1jQoVN4kGxUR4sAPN4XZ7pxb'],
      },
    ],
  },
]
