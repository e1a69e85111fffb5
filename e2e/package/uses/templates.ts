/** What the compilers of templates ask for: the attributes and events of `<pay-window>`. */
import 'paywindow/element/svelte'
import 'paywindow/element/vue'
import type { PaywindowElement } from 'paywindow/element'
import type { SvelteHTMLElements } from 'svelte/elements'
import type { GlobalComponents } from 'vue'

type Svelte = SvelteHTMLElements['pay-window']
type Vue = InstanceType<GlobalComponents['pay-window']>

export const svelte: Svelte = { endpoint: '/paywindow', reference: 'cart-42', theme: 'dark', class: 'wide' }
// @ts-expect-error: no such theme.
export const darker: Svelte = { theme: 'darker' }

export const vue: Vue['$props'] = { endpoint: '/paywindow', reference: 'cart-42', theme: 'dark', class: 'wide' }
// @ts-expect-error: no such theme.
export const darkest: Vue['$props'] = { theme: 'darkest' }

export function listen(emit: Vue['$emit'], element: Vue, confirmed: CustomEvent) {
  emit('paywindow:confirmed', confirmed)
  // @ts-expect-error: no such event.
  emit('paywindow:paid', confirmed)
  const same: PaywindowElement = element
  return same
}
