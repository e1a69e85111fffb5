/**
 * A link to the merchant's own page. It opens in a new tab that has no access to this page.
 */
import { useSetting } from '../setting.ts'
import { Text } from './Text.tsx'

/** A page, a mail or a call; or a path, which has no colon before its first slash. */
const opensNoScript = /^([/?#.]|http|mailto|tel|[^:]*$)/i

/** @param href - Without it, or where it might run a script, nothing is drawn. */
export function HelpLink({ href, text }: { href: string | undefined; text: string }) {
  const { texts } = useSetting()
  if (!href || !opensNoScript.test(href)) return null
  return (
    <a className="pw-link" part="link" href={href} target="_blank" rel="noopener noreferrer">
      <Text>{text}</Text>
      <span className="pw-unseen">{` (${texts.opensNewTab})`}</span>
    </a>
  )
}
