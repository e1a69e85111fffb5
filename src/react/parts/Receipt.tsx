/**
 * What was paid, in a few rows that can be kept: copied as text, or printed.
 */
import { asIs } from '#as-is'
import type { Checkout } from '../../contract/checkout.ts'
import { dateAndZone, writtenTime } from '../../locales/written.ts'
import { useSetting } from '../setting.ts'
import { Text } from './Text.tsx'
import { useUtc } from './TimeOfDay.tsx'
import { useCopy } from './use-copy.ts'
import { useTexts } from './use-texts.ts'

/** Names and values, row by row. A row without a value is left out. */
export function Rows({ rows }: { rows: readonly (readonly [name: string, value: string | undefined])[] }) {
  return (
    <dl className="pw-receipt">
      {rows.map(([name, value]) =>
        value ? (
          <div key={`${name} ${value}`}>
            <dt>{name}</dt>
            <dd>
              <bdi {...asIs}>{value}</bdi>
            </dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}

/** Coin, amount, time and number of a payment, to be copied and printed. */
export function Receipt({ checkout }: { checkout: Checkout }) {
  const { locale } = useSetting()
  const texts = useTexts()
  const { asset, amount, id, orderNumber = id, history, createdAt } = checkout
  const paidAt = new Date(history.find(({ phase }) => phase === 'paid')?.at ?? createdAt)
  const rows = [
    [texts.receiptCoin, `${asset.name} (${asset.symbol})`],
    [texts.amount, `${amount} ${asset.symbol}`],
    [texts.receiptTime, writtenTime(paidAt, locale, { ...dateAndZone, ...useUtc() })],
    [texts.receiptReference, orderNumber],
  ] as const
  const { copy, state } = useCopy(rows.map((row) => row.join(': ')).join('\n'), texts.copied)
  return (
    <>
      <Rows rows={rows} />
      <p className="pw-row">
        <button type="button" className="pw-link" part="link" onClick={copy}>
          <Text>{state === 'copied' ? texts.copied : texts.copyReceipt}</Text>
        </button>
        <button type="button" className="pw-link" part="link" onClick={() => print()}>
          {texts.print}
        </button>
      </p>
    </>
  )
}
