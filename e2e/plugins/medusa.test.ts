/** plugins/medusa in a whole Medusa, with the payment server of the built package. */
import { medusa } from './medusa-shop.ts'
import { describePlatform } from './node-shops.ts'

describePlatform(medusa)
