/**
 * What every part of the widget needs to know, handed down once.
 */
import { createContext, useContext } from 'react'
import { en, type Texts } from '../locales/en.ts'

interface Setting {
  readonly texts: Texts
  readonly locale: string | undefined
  /** Icons are fetched below it. */
  readonly endpoint: string
  /** Speaks through the widget's one live region. */
  readonly announce: (text: string) => void
}

export const SettingContext = createContext<Setting>({
  texts: en,
  locale: undefined,
  endpoint: '',
  announce: () => undefined,
})

export function useSetting(): Setting {
  return useContext(SettingContext)
}
