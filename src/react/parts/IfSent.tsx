/** For payers who have already sent, on screens that could read as if nothing had been sent. */
import { useTexts } from './use-texts.ts'

/** What payers should do who have already sent. */
export function IfSent() {
  const { ifSent } = useTexts()
  return <p className="pw-note">{ifSent}</p>
}
