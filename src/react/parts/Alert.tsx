/** A message that something went wrong, announced when it appears. */
import { Text } from './Text.tsx'

/** @param text - Without it, nothing is drawn. */
export function Alert({ text }: { text: string | null | undefined }) {
  return text ? (
    <p className="pw-alert" role="alert">
      <Text>{text}</Text>
    </p>
  ) : null
}
