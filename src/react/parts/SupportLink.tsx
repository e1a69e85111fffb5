/**
 * A link to help: the order's own or, where the order has none or is not known yet, the page's.
 */
import { useSetting } from '../setting.ts'
import { HelpLink, type HelpLinkProps } from './HelpLink.tsx'
import { useTexts } from './use-texts.ts'

/** The link to a person who can help, as given by the merchant. */
export function SupportLink({ look, href }: Partial<Pick<HelpLinkProps, 'look' | 'href'>>) {
  const { supportUrl } = useSetting()
  const texts = useTexts()
  return <HelpLink href={href ?? supportUrl} text={texts.contactShop} look={look} />
}
