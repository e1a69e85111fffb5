/**
 * What every part of the widget needs to know, provided once through a context.
 */
import { createContext, useContext } from 'react'
import type { PanelTexts } from '../locales/en.ts'
import { enPanel } from '../locales/en-panel.ts'
import type { PaywindowLooks } from './options.ts'

interface Setting extends Pick<PaywindowLooks, 'handoverUrl' | 'supportUrl' | 'notify' | 'keepTitle'> {
  /** The texts of the panel. Parts that are loaded later add their own. */
  readonly texts: PanelTexts
  readonly locale: string | undefined
  /** The base of the paths from which icons are fetched. */
  readonly endpoint: string
  /**
   * Whether a server has drawn the widget: what differs from it waits until the widget is mounted,
   * or stays out.
   */
  readonly isDrawn?: boolean
  /** Whether the device is held in the hand, as far as known. */
  readonly isHeld?: boolean
  /** Announces a text through the widget's one live region. */
  readonly announce: (text: string) => void
}

/** What all parts of one widget share. */
export const SettingContext = /* @__PURE__ */ createContext<Setting>({
  texts: enPanel,
  locale: undefined,
  endpoint: '',
  announce: () => undefined,
})

/** What all parts of this widget share. Outside a widget: English texts and no endpoint. */
export function useSetting(): Setting {
  return useContext(SettingContext)
}
