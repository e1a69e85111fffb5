/**
 * The choice of what to pay with.
 */
import { useId, useState } from 'react'
import { asIs } from '#as-is'
import { networkName } from '../../checkout/network-names.ts'
import { isTransient } from '../../checkout/view.ts'
import type { Method, Offer } from '../../contract/checkout.ts'
import type { PaywindowActions, SessionState } from '../../session/state.ts'
import { Alert } from '../parts/Alert.tsx'
import { act } from '../parts/act.ts'
import { Coin } from '../parts/Coin.tsx'
import { recall, remember } from '../parts/remembered.ts'
import { Say } from '../parts/Say.tsx'
import { Text } from '../parts/Text.tsx'
import { useIdle } from '../parts/use-idle.ts'
import { useTexts } from '../parts/use-texts.ts'
import { useWaitingWord } from '../parts/use-waiting-word.ts'
import { whyNot } from '../parts/why-not.ts'
import { useSetting } from '../setting.ts'

type ChoosingProps = Pick<SessionState, 'pending' | 'trouble' | 'actionError' | 'canGoBack'> &
  Pick<PaywindowActions, 'choose' | 'back'> & { readonly offer: Offer }

/** With this many methods or more, a search field helps more than it costs. */
const searchFrom = 9

/** The methods to choose from. */
export function Choosing({ offer, pending, trouble, actionError, canGoBack, choose, back }: ChoosingProps) {
  const texts = useTexts()
  // Asked for here, so that the panel that follows is drawn whole at once.
  useIdle()
  const [sought, setSought] = useState('')
  const searchId = useId()
  const word = useWaitingWord(pending, texts.preparing, trouble)
  const { isDrawn } = useSetting()
  const [last] = useState(() => (isDrawn ? null : recall('coin')))
  const found = inOrder(offer.methods, last).filter((method) => matches(method, sought))
  const pick = (method: Method) => {
    remember('coin', nameOf(method))
    choose(method)
  }
  return (
    <div className="pw-choose">
      <h2 className="pw-title" part="title" tabIndex={-1}>
        {texts.chooseTitle}
      </h2>
      <p className="pw-note">{texts.heldFor}</p>
      <Alert
        text={
          actionError && whyNot(actionError, texts, isTransient(actionError.code) ? 'actionFailed' : 'chooseFailed')
        }
      />
      {offer.methods.length >= searchFrom ? (
        <>
          <label className="pw-unseen" htmlFor={searchId}>
            {texts.chooseSearch}
          </label>
          <input
            className="pw-search"
            id={searchId}
            type="search"
            // Enter must not submit a form that the shop has around the component.
            form=""
            placeholder={texts.chooseSearch}
            onInput={(event) => setSought(event.currentTarget.value)}
          />
        </>
      ) : null}
      <ul className="pw-methods">
        {found.map((method) => (
          <li key={nameOf(method)}>
            <MethodButton method={method} pending={pending} word={word} onPick={() => pick(method)} />
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p className="pw-note">{texts.chooseNone}</p> : null}
      {canGoBack ? (
        <button type="button" className="pw-button" part="button" data-look="quiet" onClick={back}>
          {texts.back}
        </button>
      ) : null}
    </div>
  )
}

interface MethodButtonProps extends Pick<SessionState, 'pending'> {
  readonly method: Method
  /** Shown on the method that was picked. */
  readonly word: string
  readonly onPick: () => void
}

function MethodButton({ method, pending, word, onPick }: MethodButtonProps) {
  const texts = useTexts()
  const { asset, network, name, icon, networkInfo } = method
  const isPicked = pending?.kind === 'choose' && pending.asset === asset && pending.network === network
  return (
    <button
      {...act(`choose ${encodeURIComponent(asset)} ${encodeURIComponent(network)}`)}
      className="pw-method"
      part="method"
      aria-disabled={pending !== null}
      aria-busy={isPicked}
      onClick={onPick}
    >
      <Coin form={isPicked ? 'busy' : undefined} symbol={asset} icon={icon} networkInfo={networkInfo} />
      <span className="pw-order">
        <b {...asIs}>{name}</b>
        <span className="pw-soft">
          {isPicked && word ? (
            <Text>{word}</Text>
          ) : (
            <>
              {asset === name ? null : <span {...asIs}>{`${asset} · `}</span>}
              <Say
                text={texts.networkOf}
                values={{ network: <span {...asIs}>{networkName(network, networkInfo)}</span> }}
              />
              {networkInfo?.needsTag ? <span className="pw-mark">{texts.needsTag}</span> : null}
            </>
          )}
        </span>
      </span>
      <svg className="pw-arrow" viewBox="0 0 8 14" aria-hidden="true">
        <path d="M1 1l6 6-6 6" />
      </svg>
    </button>
  )
}

/** Coins that keep the value of a currency, so that what is sent has the price that was read. */
const stable = /^(?:(?:USD|EUR|GBP)[A-Z]|DAI|(?:PY|T|FD|G|RL)USD)$/

/**
 * The coin that was used last, then stable ones, then all others; among equals as the shop lists
 * them.
 */
function inOrder(methods: readonly Method[], last: string | null): readonly Method[] {
  const rank = (method: Method) => (nameOf(method) === last ? 0 : stable.test(method.asset.toUpperCase()) ? 1 : 2)
  return [...methods].sort((left, right) => rank(left) - rank(right))
}

function nameOf({ asset, network }: Method): string {
  return `${asset} ${network}`
}

function matches(method: Method, sought: string): boolean {
  const words =
    `${method.name} ${method.asset} ${method.network} ${networkName(method.network, method.networkInfo)}`.toLowerCase()
  return words.includes(sought.trim().toLowerCase())
}
