/**
 * What reaches a payer who is looking elsewhere: a screen that stays on, the page title and, if the
 * payer asks for it, a notification.
 */
import { useEffect, useRef, useState } from 'react'
import type { View } from '../../checkout/view.ts'
import type { Checkout } from '../../contract/checkout.ts'
import { isHidden } from '../../session/visibility.ts'
import { useSetting } from '../setting.ts'
import { Text } from './Text.tsx'
import { useTexts } from './use-texts.ts'

/** Props of `Attention`. */
export interface AttentionProps {
  readonly view: View
}

/** The page title, the screen wake lock and the notification. */
export function Attention({ view }: AttentionProps) {
  const { notify, keepTitle } = useSetting()
  useScreenOn(view.kind === 'waiting')
  const { stepPaid } = useTexts()
  const isPaid = view.kind === 'paid' || (view.kind === 'settledElsewhere' && view.cart === 'paid')
  useTitle(isPaid && !keepTitle ? `✓ ${stepPaid}` : null)
  // Where nothing is asked any more, nobody would be told.
  const isOver = view.kind === 'ended' || view.kind === 'refused'
  return notify ? <Notice checkout={'checkout' in view && !isOver ? view.checkout : null} isPaid={isPaid} /> : null
}

/**
 * Keeps a phone's screen on while the payer types what it shows elsewhere. Browsers release the
 * lock when the page is hidden.
 */
function useScreenOn(isOn: boolean): void {
  useEffect(() => {
    if (!isOn || !navigator.wakeLock) return
    let lock: Promise<WakeLockSentinel | undefined> | undefined
    const ask = () => {
      // The request may be refused because of low battery or the page's policy. The screen then
      // turns off as usual.
      if (!isHidden(window)) lock = navigator.wakeLock.request('screen').catch(() => undefined)
    }
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      document.removeEventListener('visibilitychange', ask)
      lock?.then((held) => held?.release())
    }
  }, [isOn])
}

/**
 * Replaces the page title while the page is hidden. A title that the page sets in the meantime
 * stays.
 */
function useTitle(word: string | null): void {
  useEffect(() => {
    if (word === null) return
    let before = document.title
    const restore = () => {
      if (document.title === word) document.title = before
    }
    const look = () => {
      restore()
      before = document.title
      if (isHidden(window)) document.title = word
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      restore()
    }
  }, [word])
}

/**
 * Offers a notification if the merchant has enabled it. The browser is asked for permission only
 * when it is pressed, once for all that this widget shows.
 */
function Notice({ checkout, isPaid }: { checkout: Checkout | null; isPaid: boolean }) {
  const texts = useTexts()
  const [audio, setAudio] = useState<AudioContext | 'denied' | null>(null)
  const told = useRef('')
  const merchant = checkout?.merchant.name ?? ''
  const id = checkout?.id ?? ''
  useEffect(() => {
    if (!isPaid || audio === null || audio === 'denied' || told.current === id) return
    // Once, however often it is drawn with other texts.
    told.current = id
    ring(audio)
    try {
      new Notification(merchant, { body: `✓ ${texts.stepPaid}` })
    } catch {
      // On phones, pages cannot create these. The sound and the title remain.
    }
  }, [isPaid, audio, merchant, id, texts])
  if (isPaid || !checkout) return null
  const press = async () => {
    try {
      // Browsers allow a sound later only if its audio context was created by a press.
      const begun = new AudioContext()
      // Tabs on an iPhone have no notifications. The sound and the title remain there too.
      const answer = await window.Notification?.requestPermission()
      setAudio(answer && answer !== 'granted' ? 'denied' : begun)
    } catch {
      // Phones that are locked down have no sound, and some frames refuse by an error.
      setAudio('denied')
    }
  }
  return (
    <p className="pw-notice">
      {audio === null ? (
        <button type="button" className="pw-link" part="link" onClick={press}>
          {texts.notify}
        </button>
      ) : (
        <Text>{audio === 'denied' ? texts.notifyDenied : texts.notifyOn}</Text>
      )}
    </p>
  )
}

/** Two soft tones, half a second. */
function ring(audio: AudioContext): void {
  const tone = audio.createOscillator()
  const loudness = audio.createGain()
  const nowS = audio.currentTime
  tone.frequency.value = 660
  tone.frequency.setValueAtTime(880, nowS + 0.2)
  loudness.gain.setValueAtTime(0.1, nowS)
  loudness.gain.exponentialRampToValueAtTime(0.001, nowS + 0.5)
  tone.connect(loudness).connect(audio.destination)
  tone.start()
  tone.stop(nowS + 0.5)
}
