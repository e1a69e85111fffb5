/**
 * Beside the pressed button on the panel: why the answer takes so long, or that the press did not work.
 */
import type { SessionState } from '../../session/state.ts'
import { Alert } from './Alert.tsx'
import { useTexts } from './use-texts.ts'
import { useWaitingWord } from './use-waiting-word.ts'

/** Props of `PressNote`: what was pressed, and what became of it. */
export type PressNoteProps = Pick<SessionState, 'pending' | 'trouble' | 'actionError'>

/** Acknowledges a press, and says within two seconds why it is still waiting. */
export function PressNote({ pending, trouble, actionError }: PressNoteProps) {
  const { actionFailed } = useTexts()
  return <Alert text={useWaitingWord(pending, '', trouble) || (actionError && actionFailed)} />
}
