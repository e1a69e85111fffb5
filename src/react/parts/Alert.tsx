/** Something that went wrong, spoken when it comes. */
import { Text } from './Text.tsx'

/** @param text - Nothing is drawn without. */
export function Alert({ text }: { text: string | null | undefined }) {
  return text ? (
    <p className="pw-alert" role="alert">
      <Text>{text}</Text>
    </p>
  ) : null
}
