/**
 * A link to the merchant's own page. It opens in a new tab that has no access to this page.
 */
import { useSetting } from '../setting.ts'
import { Text } from './Text.tsx'

/** @param href - Without it, nothing is drawn. */
export function HelpLink({ href, text }: { href: string | undefined; text: string }) {
  const { texts } = useSetting()
  if (!href) return null
  return (
    <a className="pw-link" part="link" href={href} target="_blank" rel="noopener noreferrer">
      <Text>{text}</Text>
      <span className="pw-unseen">{` (${texts.opensNewTab})`}</span>
    </a>
  )
}
