/**
 * What every part of the widget needs to know, handed down once.
 */
import { createContext, useContext } from 'react'
import type { PanelTexts } from '../locales/en.ts'
import { enPanel } from '../locales/en-panel.ts'
import type { PaywindowLooks } from './options.ts'

interface Setting extends Pick<PaywindowLooks, 'handoverUrl' | 'supportUrl' | 'notify' | 'keepTitle'> {
  /** Those of the panel. What comes later adds its own. */
  readonly texts: PanelTexts
  readonly locale: string | undefined
  /** Icons are fetched below it. */
  readonly endpoint: string
  /** Speaks through the widget's one live region. */
  readonly announce: (text: string) => void
}

/** What all parts of one widget share. */
export const SettingContext = /* @__PURE__ */ createContext<Setting>({
  texts: enPanel,
  locale: undefined,
  endpoint: '',
  announce: () => undefined,
})

/** What all parts of this widget share. @throws Error outside a widget. */
export function useSetting(): Setting {
  return useContext(SettingContext)
}
