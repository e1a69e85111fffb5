/**
 * A person to turn to, where the page named one: the order, which names its own, is not known yet.
 */
import { useSetting } from '../setting.ts'
import { HelpLink } from './HelpLink.tsx'
import { useTexts } from './use-texts.ts'

/** A person to turn to, as the merchant names it. */
export function SupportLink() {
  const { supportUrl } = useSetting()
  const texts = useTexts()
  return <HelpLink href={supportUrl} text={texts.contactShop} />
}
