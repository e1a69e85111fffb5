/**
 * All texts, for what is not on the panel when it is first drawn. Merged once for each widget,
 * however many parts use them.
 */
import type { PanelTexts, WidgetTexts } from '../../locales/en.ts'
import { enLater } from '../../locales/en-later.ts'
import { useSetting } from '../setting.ts'

let english: Partial<WidgetTexts> = enLater
let complete = /* @__PURE__ */ new WeakMap<PanelTexts, WidgetTexts>()

/** Adds English texts, for parts that bring their own. Called before any of them is drawn. */
export function addEnglish(texts: Partial<WidgetTexts>): void {
  english = { ...english, ...texts }
  complete = new WeakMap()
}

/** The texts in the language of the widget. */
export function useTexts(): WidgetTexts {
  const { texts } = useSetting()
  let all = complete.get(texts)
  if (!all) {
    all = { ...english, ...texts } as WidgetTexts
    complete.set(texts, all)
  }
  return all
}
