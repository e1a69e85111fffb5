/** Payments as CSV, for spreadsheets and for bookkeeping. */
import { type Options, stringify } from 'csv-stringify/sync'
import type { MerchantCheckout } from '../server/views/merchant-view.ts'
import { printable } from '../service/printable.ts'
import { receivedOf } from './events.ts'
import { paidAt } from './search.ts'

/** CSV text. What a spreadsheet would take for a formula begins with an apostrophe. */
export function csvText(rows: readonly (readonly unknown[] | object)[], options: Options = {}): string {
  return stringify([...rows], { ...options, cast: { string: cellText } })
}

/**
 * Where a comma is in numbers, Excel divides lines at semicolons, also within quotes. It takes
 * spaces before a formula away.
 */
function cellText(text: string): string {
  return printable(text).replace(/(^|;)(?=["\s]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g, "$1'")
}

/** What Excel needs to read letters and lines. */
export const forExcel: Options = { bom: true, record_delimiter: 'windows' }

type Cell = string | number | null

/** Amounts have every digit, and are text. Times are of UTC. */
const cells: Readonly<Record<string, (checkout: MerchantCheckout) => Cell | undefined>> = {
  id: ({ id }) => id,
  reference: ({ reference }) => reference,
  status: ({ status }) => status,
  price: ({ price }) => price.amount,
  price_asset: ({ price }) => price.asset,
  pays: ({ deposit }) => deposit?.amount,
  pays_asset: ({ asset }) => asset,
  network: ({ network }) => network,
  address: ({ deposit }) => deposit?.address,
  tag: ({ deposit }) => deposit?.tag,
  created_at: ({ createdAt }) => createdAt,
  expires_at: ({ deposit }) => deposit?.expiresAt,
  order_id: ({ order }) => order?.id,
  evidence: ({ order }) => order?.evidence,
  untold_events: ({ untoldEvents }) => untoldEvents,
  test: ({ test }) => String(test),
  paid_at: paidAt,
  order_number: ({ orderNumber }) => orderNumber,
  phase: ({ phase }) => phase,
  received_deposit: (checkout) => receivedOf(checkout)?.deposit?.amount,
  received_deposit_asset: (checkout) => receivedOf(checkout)?.deposit?.asset,
  received: (checkout) => receivedOf(checkout)?.price?.amount,
  received_asset: (checkout) => receivedOf(checkout)?.price?.asset,
}

/** A line for each payment, below the names of the columns. */
export function paymentsCsv(payments: readonly MerchantCheckout[], options: Options = {}): string {
  const rows = payments.map((payment) => Object.values(cells).map((cell) => cell(payment) ?? null))
  return csvText([Object.keys(cells), ...rows], options)
}
