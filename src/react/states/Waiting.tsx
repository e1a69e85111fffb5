/**
 * What to send, and where. First the amount, then the network, then the code. Everything that has
 * to be copied is in fields that look alike, in the order in which a wallet asks for it.
 */
import { useEffect, useId, useState } from 'react'
import { asIs } from '#as-is'
import { Hints, PressNote, Wallets, Withdrawal } from '#later'
import { networkName, tagWord } from '../../checkout/network-names.ts'
import type { Checkout } from '../../contract/checkout.ts'
import type { PanelTexts } from '../../locales/en.ts'
import { fill } from '../../locales/format.ts'
import { isOf } from '../../locales/forms.ts'
import type { PaywindowActions, SessionState } from '../../session/state.ts'
import { AddressText } from '../parts/AddressText.tsx'
import { act } from '../parts/act.ts'
import { Coin } from '../parts/Coin.tsx'
import { CopyButton, CopyField, Exact, useCopying } from '../parts/CopyField.tsx'
import { QrPanel } from '../parts/QrPanel.tsx'
import { markOf, recall } from '../parts/remembered.ts'
import { Say } from '../parts/Say.tsx'
import { usePlace, Where } from '../parts/Where.tsx'
import { useSetting } from '../setting.ts'
import { useDrawn } from '../use-drawn.ts'

type WaitingProps = Pick<SessionState, 'pending' | 'trouble' | 'actionError'> &
  Pick<PaywindowActions, 'change' | 'renew' | 'back' | 'checkedAtMs' | 'endsAtMs' | 'timeLeftMs' | 'handOver'> & {
    readonly checkout: Checkout
  }

/** An amount with more characters than this is written smaller, so that it stays on one line. */
const longAmount = 13

/**
 * Whether 22.841 could be taken for twenty-two thousand, because the payer's language and place
 * write a decimal comma.
 */
function readsAsThousands(amount: string, locale: string | undefined, texts: PanelTexts): boolean {
  return /^[1-9]\d{0,2}\.\d{3}$/.test(amount) && /0,00/.test(texts.priceForms) && isOf(locale, texts)
}

/** Whether something lasts. One answer that is lost moves nothing under a payer's finger. */
function useLasting(isOn: boolean): boolean {
  const [lasts, setLasts] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => setLasts(true), 3_000)
    return () => {
      clearTimeout(timer)
      setLasts(false)
    }
  }, [isOn])
  return lasts
}

/** The panel: where and what to pay, and for how long. */
export function Waiting({ checkout, pending, change, endsAtMs, timeLeftMs, handOver, ...press }: WaitingProps) {
  const { texts, locale, isDrawn = false } = useSetting()
  const warnings = useId()
  const isLost = useLasting(press.trouble !== null)
  const { asset, amount, address, tag, network, networkInfo } = checkout
  const [place, setPlace] = usePlace()
  const cart = markOf(checkout.reference)
  const kept = () => recall('sent')?.split(' ') ?? []
  const askedNow = () => ({ isQuote: kept().includes(checkout.id), isCart: kept().includes(cart) })
  const [asked, setAsked] = useState(isDrawn ? { isQuote: false, isCart: false } : askedNow)
  // A server does not know what this browser remembers.
  useDrawn(() => {
    if (isDrawn) setAsked(askedNow())
  }, [])
  // Of an earlier address its own warning tells more.
  const wasAsked = asked.isQuote || (asked.isCart && !checkout.earlier)
  const [copied, setCopied] = useState<readonly string[]>([])
  const tagName = texts[tagWord(networkInfo)]
  const names = [texts.address, tagName, texts.amount]
  const isCopied = (name: string) => copied.includes(name)
  const note = (name: string) => () => setCopied((before) => [...before, name])
  /** Named only if there is a tag, because only then is something forgotten. */
  const nextTo = (name: string) =>
    tag === null ? undefined : names.find((other) => other !== name && !isCopied(other))
  const copying = useCopying(amount, texts.amount, note(texts.amount), nextTo(texts.amount))
  // At an exchange the network comes before them, and the amount after them.
  const isAtExchange = place === 'exchange'
  const count = (tag === null ? 1 : 2) + (isAtExchange ? 2 : 0)
  const fieldOf = (index: number, name: string) => ({
    name,
    onCopied: note(name),
    step:
      count === 1
        ? undefined
        : { at: index + (isAtExchange ? 1 : 0), count, isDone: isCopied(name), next: nextTo(name) },
  })
  const fields = (
    <>
      <CopyField text={address} label={texts.toAddress} {...fieldOf(1, texts.address)}>
        <AddressText address={address} />
      </CopyField>
      {tag === null ? null : (
        <CopyField
          text={tag}
          label={fill(texts.tagNeeded, { tag: tagName })}
          hint={isCopied(tagName) ? texts.tagPaste : isCopied(texts.address) ? texts.tagNext : texts.tagWarning}
          tone="must"
          {...fieldOf(2, tagName)}
        >
          {tag}
        </CopyField>
      )}
    </>
  )
  return (
    <>
      <div className="pw-warnings" id={warnings}>
        {isLost || wasAsked ? <p className="pw-alert">{texts.payOnce}</p> : null}
        <PressNote checkout={checkout} pending={pending} {...press} />
      </div>
      <div className="pw-pay" data-place={place}>
        <div className="pw-lead">
          <div className="pw-sum">
            <h2 className="pw-title" part="title" tabIndex={-1} aria-describedby={warnings}>
              <span className="pw-soft">{texts.sendExactly}</span>{' '}
              <bdi className="pw-amount" part="amount" dir="ltr" {...asIs} data-long={amount.length > longAmount}>
                <Exact className="pw-number" {...copying}>
                  {amount}
                </Exact>{' '}
                <span className="pw-unit">{asset.symbol}</span>
              </bdi>
              {readsAsThousands(amount, locale, texts) ? (
                <span className="pw-soft" {...asIs}>{`= ${amount.replace('.', ',')}`}</span>
              ) : null}
            </h2>
            <CopyButton {...copying} />
          </div>
          <div className="pw-row">
            <p className="pw-chip" part="network">
              <Coin form="still" {...asset} networkInfo={networkInfo} />
              <span>
                <Say text={texts.onlyOn} values={{ network: <b {...asIs}>{networkName(network, networkInfo)}</b> }} />
              </span>
            </p>
            {checkout.methodCount > 1 && !checkout.viewOnly ? (
              <button
                {...act('change')}
                className="pw-link"
                part="link"
                aria-disabled={pending !== null}
                aria-busy={pending?.kind === 'change'}
                onClick={change}
              >
                {texts.change}
              </button>
            ) : null}
          </div>
        </div>
        <Where place={place} onPick={setPlace} />
        {place === 'other' ? <QrPanel checkout={checkout} /> : null}
        <div className="pw-fields">
          {/* Stays, because a question of a wallet may be open while the payer looks elsewhere. */}
          <div className="pw-here" hidden={place !== 'here'}>
            <Wallets
              checkout={checkout}
              timeLeftMs={timeLeftMs}
              isAsked={asked.isQuote}
              onAsked={(isQuote) => setAsked({ isQuote, isCart: kept().includes(cart) })}
            />
          </div>
          {isAtExchange ? (
            <Withdrawal checkout={checkout} endsAtMs={endsAtMs}>
              {fields}
            </Withdrawal>
          ) : (
            fields
          )}
          <Hints checkout={checkout} place={place} handOver={handOver} />
        </div>
      </div>
    </>
  )
}
