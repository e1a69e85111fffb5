/**
 * Help for payers who pay from an exchange, folded until it is opened: the fee, the network's name there, the tag, the time.
 */
import { asIs } from '#as-is'
import { exchangeNetworkName, tagWord } from '../../checkout/network-names.ts'
import type { Checkout } from '../../contract/checkout.ts'
import type { PaywindowActions } from '../../session/state.ts'
import { Fold } from './Fold.tsx'
import { Say } from './Say.tsx'
import { TimeOfDay } from './TimeOfDay.tsx'
import { useTexts } from './use-texts.ts'

/** What to know when paying from an exchange. */
export function ExchangeHelp({ checkout, endsAtMs }: { checkout: Checkout } & Pick<PaywindowActions, 'endsAtMs'>) {
  const texts = useTexts()
  const { amount, asset, network, networkInfo, tag } = checkout
  const total = (
    <b dir="ltr" {...asIs}>
      {`${amount} ${asset.symbol}`}
    </b>
  )
  return (
    <Fold summary={texts.exchangeTitle} className="pw-exchange">
      <ul>
        <li>
          <Say text={texts.exchangeFee} values={{ amount: total, strong: <b>{texts.exchangeFeeStrong}</b> }} />
        </li>
        <li>
          <Say
            text={texts.exchangeNetwork}
            values={{ network: <b {...asIs}>{exchangeNetworkName(network, networkInfo)}</b> }}
          />
        </li>
        {tag === null ? null : (
          <li>
            <Say text={texts.exchangeTag} values={{ tag: texts[tagWord(networkInfo)] }} />
          </li>
        )}
        <li>
          <TimeOfDay text={texts.exchangeTime} atMs={endsAtMs()} />
        </li>
      </ul>
    </Fold>
  )
}
