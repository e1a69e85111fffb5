/**
 * The sheet of a withdrawal at an exchange: the time that it may take, and step by step the network
 * by its name there, the fields around which this is drawn, and what has to arrive after the fee.
 */
import type { ReactNode } from 'react'
import { asIs } from '#as-is'
import { exchangeNetworkName } from '../../checkout/network-names.ts'
import type { Checkout } from '../../contract/checkout.ts'
import type { PaywindowActions } from '../../session/state.ts'
import { Say } from './Say.tsx'
import { TimeOfDay } from './TimeOfDay.tsx'
import { useTexts } from './use-texts.ts'

/** Props of `Withdrawal`. */
export interface WithdrawalProps extends Pick<PaywindowActions, 'endsAtMs'> {
  readonly checkout: Checkout
  /** The fields, whose steps begin with 2. */
  readonly children: ReactNode
}

/** What to do at an exchange, around the fields. */
export function Withdrawal({ checkout, endsAtMs, children }: WithdrawalProps) {
  const texts = useTexts()
  const { amount, asset, network, networkInfo, tag } = checkout
  const total = (
    <b dir="ltr" {...asIs}>
      {`${amount} ${asset.symbol}`}
    </b>
  )
  const there = <b {...asIs}>{exchangeNetworkName(network, networkInfo)}</b>
  return (
    <>
      <p className="pw-note">
        <TimeOfDay text={texts.exchangeTime} atMs={endsAtMs()} />
      </p>
      <Step at={1}>
        <Say text={texts.exchangeNetwork} values={{ network: there }} />
      </Step>
      {children}
      <Step at={tag === null ? 3 : 4}>
        <Say text={texts.exchangeFee} values={{ amount: total, strong: <b>{texts.exchangeFeeStrong}</b> }} />
      </Step>
    </>
  )
}

function Step({ at, children }: { at: number; children: ReactNode }) {
  return (
    <p className="pw-field pw-told">
      <span className="pw-step" {...asIs}>
        {at}
      </span>
      <span>{children}</span>
    </p>
  )
}
