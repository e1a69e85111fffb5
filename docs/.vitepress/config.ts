/** The documentation as a site. `npm run site` writes the pages from the repository's Markdown and from the sources, and then builds this. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { groups } from './site/map.ts'

const sidebar = groups.map(({ text, pages }) => ({
  text,
  items: pages.map(([path, title]) => ({ text: title, link: `/${path.replace(/index$/, '')}` })),
}))

export default defineConfig({
  title: 'Paywindow',
  description: 'A crypto checkout widget for the browser, and the merchant server that makes it safe.',
  lang: 'en',
  // For a site that is not at the root of its host: `/docs/`.
  base: process.env.PAYWINDOW_SITE_BASE ?? '/',
  srcDir: '.vitepress/pages',
  outDir: '../dist/site',
  cacheDir: '../node_modules/.cache/vitepress',
  // Without them the whole page is styled three times while it starts.
  appearance: { disableTransition: false },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    // As in the repository: one link fits both.
    anchor: {
      slugify: (text) =>
        text
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .replaceAll(' ', '-'),
    },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => {
      // A header that says nothing is no header.
      md.core.ruler.push('empty headers', ({ tokens }) => {
        tokens.forEach((token, index) => {
          if (token.type === 'inline' && token.content === '')
            for (const edge of [tokens[index - 1], tokens[index + 1]]) if (edge?.tag === 'th') edge.tag = 'td'
        })
      })
    },
  },
  // What a reader starts on their own machine.
  ignoreDeadLinks: 'localhostLinks',
  // Its compiler is older than the target in tsconfig.json.
  vite: {
    esbuild: { target: 'es2022', tsconfigRaw: '{}' },
    // A part of the default theme is replaced by that of its own name, as VitePress describes it.
    resolve: {
      alias: [
        {
          find: './components/VPSidebar.vue',
          replacement: fileURLToPath(new URL('theme/later-sidebar.ts', import.meta.url)),
        },
      ],
    },
  },
  themeConfig: {
    nav: [
      { text: 'Quick starts', link: '/start/' },
      { text: 'Playground', link: '/playground' },
      { text: 'Reference', link: '/reference/element' },
      { text: 'Every state', link: '/gallery/index.html', target: '_self' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
})
