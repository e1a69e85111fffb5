/** Why a press did not work, for the payer. */
import type { PaywindowError } from '../../contract/errors.ts'
import type { WidgetTexts } from '../../locales/en.ts'

/**
 * The shop offers this visitor nothing any more, and another press changes nothing; else what
 * `name` says.
 */
export function whyNot({ code }: PaywindowError, texts: WidgetTexts, name: keyof WidgetTexts): string {
  return texts[code === 'not_offered' ? 'refusedUnknown' : name]
}
