/** For whoever has sent already, where a screen might be read as if nothing had been. */
import { useTexts } from './useTexts.ts'

export function IfSent() {
  const { ifSent } = useTexts()
  return <p className="pw-note">{ifSent}</p>
}
