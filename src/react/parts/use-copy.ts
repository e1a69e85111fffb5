/**
 * Copying that claims success only if the browser confirms it. Otherwise the text is selected and
 * the payer is told to copy it from there.
 */
import { useEffect, useRef, useState } from 'react'
import { useSetting } from '../setting.ts'

interface Last {
  readonly of: string
  readonly text: string
  readonly state: 'idle' | 'copied' | 'failed'
}

/** How long a button says what it did before it says again what it does. */
const shownMs = 4_000
/** Less than it takes until a browser forgets the press, and with it allows no older way. */
const patienceMs = 800

/**
 * @param of - What is copied: the result for another one before does not apply to this one.
 * @param done - What is announced after copying.
 * @param read - Reads exactly what the clipboard gets, when it is copied. Default: `of`.
 * @returns `source`: ref for the element that is selected when copying fails; `text`: what was
 *   copied last.
 */
export function useCopy(of: string, done: string, read = () => of) {
  const { texts, announce } = useSetting()
  const source = useRef<HTMLElement>(null)
  const [last, setLast] = useState<Last>({ of, text: '', state: 'idle' })

  async function copy(): Promise<boolean> {
    const text = read()
    let state: Last['state'] = 'copied'
    try {
      // There is no clipboard on insecure pages, nor in frames without permission for it. Some
      // never answer.
      await Promise.race([navigator.clipboard.writeText(text), new Promise((_, fail) => setTimeout(fail, patienceMs))])
    } catch {
      if (!copyByCommand(text)) state = 'failed'
    }
    setLast({ of, text, state })
    announce(state === 'copied' ? done : texts.copyFailed)
    return state === 'copied'
  }

  // In an effect, because the element to select may be drawn only after the failure.
  useEffect(() => {
    if (last.state === 'failed' && source.current) getSelection()?.selectAllChildren(source.current)
    if (last.state !== 'copied') return
    const timer = setTimeout(() => setLast({ ...last, state: 'idle' }), shownMs)
    return () => clearTimeout(timer)
  }, [last])

  return { copy, source, text: last.text, state: last.of === of ? last.state : 'idle' }
}

/**
 * The older way to copy. It leaves the selection as it is: the text is supplied when the browser
 * fires its `copy` event.
 */
function copyByCommand(text: string): boolean {
  let isTaken = false
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
    isTaken = true
  }
  // Captures on the window, so that it runs before the page's own listeners.
  addEventListener('copy', give, true)
  try {
    return document.execCommand('copy') && isTaken
  } catch {
    // Browsers may remove this command one day.
    return false
  } finally {
    removeEventListener('copy', give, true)
  }
}
