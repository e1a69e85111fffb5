/**
 * Beside what was pressed on the panel: why it takes so long, or that it did not work.
 */
import type { SessionState } from '../../session/state.ts'
import { Alert } from './Alert.tsx'
import { useTexts } from './use-texts.ts'
import { useWaitingWord } from './use-waiting-word.ts'

/** What was pressed. */
export type PressNoteProps = Pick<SessionState, 'pending' | 'trouble' | 'actionError'>

/** Says that a press was heard, and after two seconds why it waits. */
export function PressNote(state: PressNoteProps) {
  const { actionFailed } = useTexts()
  return <Alert text={useWaitingWord(state, '') ?? (state.actionError && actionFailed)} />
}
