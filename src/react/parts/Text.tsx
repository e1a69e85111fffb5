/**
 * A text that changes, or stands beside something else. Browsers' translators put elements of their own in the place of a text, so that
 * one which was changed or taken away would stay, or break the page: here the whole element goes.
 */
export function Text({ children }: { children: string }) {
  return <span key={children}>{children}</span>
}
