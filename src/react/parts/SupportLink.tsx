/**
 * A link to help, if the page gave one. For screens on which the order is not known yet: an order has a link of its own.
 */
import { useSetting } from '../setting.ts'
import { HelpLink, type HelpLinkProps } from './HelpLink.tsx'
import { useTexts } from './use-texts.ts'

/** The link to a person who can help, as given by the merchant. */
export function SupportLink({ look }: Pick<HelpLinkProps, 'look'>) {
  const { supportUrl } = useSetting()
  const texts = useTexts()
  return <HelpLink href={supportUrl} text={texts.contactShop} look={look} />
}
