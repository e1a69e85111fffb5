/** The default theme, without fonts of its own, in the widget's colour, and with the playground. */
import { onContentUpdated, type Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import PaywindowPlayground from './PaywindowPlayground.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  // The default theme has no main landmark on its first page.
  setup: () => onContentUpdated(() => document.querySelector('.VPHome')?.setAttribute('role', 'main')),
  enhanceApp: ({ app }) => {
    app.component('PaywindowPlayground', PaywindowPlayground)
  },
} satisfies Theme
