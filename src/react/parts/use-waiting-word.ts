/**
 * The text for a press that has no answer yet: first an acknowledgement, and after some time why it takes so long.
 */
import { useEffect, useState } from 'react'
import type { SessionState } from '../../session/state.ts'
import { useTexts } from './use-texts.ts'

/** After this time a payer starts to wonder. */
const lateMs = 1_500

/**
 * @param heard - The acknowledgement, shown at once.
 * @returns Null while nothing is pending.
 */
export function useWaitingWord(
  { pending, trouble }: Pick<SessionState, 'pending' | 'trouble'>,
  heard: string,
): string | null {
  const texts = useTexts()
  const [late, setLate] = useState<SessionState['pending']>(null)
  useEffect(() => {
    const timer = setTimeout(() => setLate(pending), lateMs)
    return () => clearTimeout(timer)
  }, [pending])
  return pending && (trouble === 'lost' ? texts.footLost : late === pending ? texts.stillWaiting : heard)
}
