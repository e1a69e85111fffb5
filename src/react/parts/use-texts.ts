/**
 * All texts, for what is not on the panel when it is first drawn. Merged once for each widget, however many parts use them.
 */
import type { PanelTexts, WidgetTexts } from '../../locales/en.ts'
import { enLater } from '../../locales/en-later.ts'
import { useSetting } from '../setting.ts'

const complete = /* @__PURE__ */ new WeakMap<PanelTexts, WidgetTexts>()

/** The texts in the language of the widget. */
export function useTexts(): WidgetTexts {
  const { texts } = useSetting()
  let all = complete.get(texts)
  if (!all) {
    all = { ...enLater, ...texts }
    complete.set(texts, all)
  }
  return all
}
