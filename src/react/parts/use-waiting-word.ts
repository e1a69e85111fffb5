/**
 * The text for a press that has no answer yet: first an acknowledgement, and after some time why it
 * takes so long.
 */
import { useEffect, useState } from 'react'
import type { Trouble } from '../../checkout/flow.ts'
import { useSetting } from '../setting.ts'

/** After this time a payer starts to wonder. */
const lateMs = 1_500

/**
 * @param awaited - What was pressed; something else is another press.
 * @param heard - The acknowledgement, shown at once.
 * @returns Empty while nothing is awaited.
 */
export function useWaitingWord(awaited: object | string | null, heard: string, trouble?: Trouble | null): string {
  const { texts } = useSetting()
  const [late, setLate] = useState<typeof awaited>(null)
  useEffect(() => {
    const timer = setTimeout(() => setLate(awaited), lateMs)
    return () => clearTimeout(timer)
  }, [awaited])
  if (!awaited) return ''
  return trouble === 'lost' ? texts.footLost : late === awaited ? texts.stillWaiting : heard
}
