/** For whoever has sent already, where a screen might be read as if nothing had been. */
import { useTexts } from './use-texts.ts'

/** What to do for whoever has sent already. */
export function IfSent() {
  const { ifSent } = useTexts()
  return <p className="pw-note">{ifSent}</p>
}
