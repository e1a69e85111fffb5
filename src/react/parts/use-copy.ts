/**
 * Copying that tells the truth: success only when the browser said so; otherwise the text stands selected and the payer is
 * told to copy it from there.
 */
import { useEffect, useRef, useState } from 'react'
import { useSetting } from '../setting.ts'

type CopyState = 'idle' | 'copied' | 'failed'

/** Whoever looks again after this reads what the button does, not what it did. */
const shownMs = 4_000

/**
 * @param text - Exactly what the clipboard gets.
 * @param done - What is announced when it was copied.
 * @returns `source`: ref for the element that is selected when copying fails.
 */
export function useCopy(text: string, done: string) {
  const { texts, announce } = useSetting()
  const source = useRef<HTMLElement>(null)
  const [last, setLast] = useState<{ readonly text: string; readonly state: CopyState }>({ text, state: 'idle' })

  async function copy(): Promise<boolean> {
    let state: CopyState = 'copied'
    try {
      // There is none on pages that are not secure, nor in frames that are not allowed it.
      await navigator.clipboard.writeText(text)
    } catch {
      if (!copyByCommand(text)) state = 'failed'
    }
    setLast({ text, state })
    announce(state === 'copied' ? done : texts.copyFailed)
    return state === 'copied'
  }

  // Once it is drawn, because what is selected may come to the screen only now.
  useEffect(() => {
    if (last.state === 'failed' && source.current) getSelection()?.selectAllChildren(source.current)
    if (last.state !== 'copied') return
    const timer = setTimeout(() => setLast({ text: last.text, state: 'idle' }), shownMs)
    return () => clearTimeout(timer)
  }, [last])

  // That another text was copied before says nothing about this one.
  return { copy, source, state: last.text === text ? last.state : 'idle' }
}

/** The older way. What is selected stays selected: the browser asks what to copy, and gets this. */
function copyByCommand(text: string): boolean {
  let isTaken = false
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
    isTaken = true
  }
  // Before the page's own listeners.
  addEventListener('copy', give, true)
  try {
    return document.execCommand('copy') && isTaken
  } catch {
    // Browsers may give it up one day.
    return false
  } finally {
    removeEventListener('copy', give, true)
  }
}
