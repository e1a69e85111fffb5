/**
 * Copying that tells the truth: success only when the browser said so; otherwise the text stands selected and the payer is
 * told to copy it from there.
 */
import { useEffect, useRef, useState } from 'react'
import { useSetting } from '../setting.ts'

type CopyState = 'idle' | 'copied' | 'failed'

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
      // There is no clipboard on pages that are not secure.
      await navigator.clipboard.writeText(text)
    } catch {
      state = 'failed'
    }
    setLast({ text, state })
    announce(state === 'copied' ? done : texts.copyFailed)
    return state === 'copied'
  }

  // Once it is drawn, because what is selected may come to the screen only now.
  useEffect(() => {
    if (last.state === 'failed' && source.current) getSelection()?.selectAllChildren(source.current)
  }, [last])

  // That another text was copied before says nothing about this one.
  return { copy, source, state: last.text === text ? last.state : 'idle' }
}
