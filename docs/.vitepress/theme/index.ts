/** The default theme, without fonts of its own, in the widget's colour, and with the playground and a payment that plays by itself. */
import { onContentUpdated, type Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineAsyncComponent, h } from 'vue'
import { atFirstSign, firstSign } from './first-sign.ts'
import { keepSite } from './keep-site.ts'
import { notFound } from './not-found.ts'
import PlayedPayment from './PlayedPayment.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': notFound, 'home-hero-image': () => h(PlayedPayment) }),
  // The default theme has no main landmark on its first page.
  setup: () => onContentUpdated(() => document.querySelector('.VPHome')?.setAttribute('role', 'main')),
  enhanceApp: ({ app }) => {
    const loader = () => import('./PaywindowPlayground.vue')
    app.component('PaywindowPlayground', defineAsyncComponent({ loader, hydrate: atFirstSign }))
    void firstSign.then(keepSite)
  },
} satisfies Theme
