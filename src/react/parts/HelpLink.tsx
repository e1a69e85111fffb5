/**
 * A link to the merchant's own page. It opens in a new tab that has no access to this page.
 */
import { useSetting } from '../setting.ts'
import { Text } from './Text.tsx'

/** A page, a mail or a call; or a path, which has no colon before its first slash. */
const opensNoScript = /^([/?#.]|http|mailto|tel|[^:]*$)/i

/** Props of `HelpLink`. */
export interface HelpLinkProps {
  /** Without it, or where it might run a script, nothing is drawn. */
  readonly href: string | undefined
  readonly text: string
  /** `button`: the first thing to do on its screen. */
  readonly look?: 'button' | undefined
}

/** A link to a person who can help. */
export function HelpLink({ href, text, look }: HelpLinkProps) {
  const { texts } = useSetting()
  if (!href || !opensNoScript.test(href)) return null
  return (
    <a
      className={look ? 'pw-button' : 'pw-link'}
      part={look ?? 'link'}
      href={href}
      target="_blank"
      rel="noopener noreferrer"
    >
      <Text>{text}</Text>
      <span className="pw-unseen">{` (${texts.opensNewTab})`}</span>
    </a>
  )
}
