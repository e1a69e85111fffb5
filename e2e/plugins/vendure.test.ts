/** plugins/vendure in a whole Vendure, with the payment server of the built package. */
import { describePlatform } from './node-shops.ts'
import { vendure } from './vendure-shop.ts'

describePlatform(vendure)
