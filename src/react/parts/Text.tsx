/**
 * A text that changes, or that has siblings. Browsers' translators replace text nodes with elements
 * of their own. A text that is then changed or removed would stay, or break the page. So here the
 * whole element is replaced or removed.
 */
export function Text({ children }: { children: string }) {
  return <span key={children}>{children}</span>
}
