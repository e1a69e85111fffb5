/**
 * English texts of the widget, and the shape of every other language. `{name}` is filled in; what
 * stands in it may be set in bold, so a text is a whole sentence and never put together from parts.
 * Plain data: other languages are JSON.
 *
 * How these read: what is happening, then one clear next step. Nothing promises how or when a
 * refund arrives, because the service does not tell.
 */
import { enAfter } from './en-after.ts'
import { enLater } from './en-later.ts'
import { enPanel } from './en-panel.ts'
import { enWallet } from './en-wallet.ts'

/** English, the whole of it. */
export const en = { ...enPanel, ...enLater, ...enAfter, ...enWallet } as const

/**
 * Every text of the widget, by name.
 *
 * @example
 * ```ts
 * const texts: Partial<Texts> = { paidTitle: 'Paid. Your books are on their way.' }
 * ```
 */
export type Texts = Readonly<Record<keyof typeof en, string>>

/** Those of them that are there before anything is loaded. */
export type PanelTexts = Pick<Texts, keyof typeof enPanel>

/** All but those that come with the file of wallets. */
export type WidgetTexts = Omit<Texts, keyof typeof enWallet>
