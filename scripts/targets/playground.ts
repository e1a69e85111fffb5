import type { UserConfig } from 'vite'
import { bundling, production, shared, source } from './shared.ts'

/** The frame of the playground, which runs the built server and sandbox in the page, and the icons of the gallery. */
export const playground: UserConfig = {
  base: './',
  define: production,
  // The package says that servers are no code for browsers. Here one plays both.
  resolve: {
    alias: [
      { find: /^paywindow\/(server|sandbox)$/, replacement: source('dist/$1.js') },
      { find: /^paywindow$/, replacement: source('dist/index.js') },
      { find: /^paywindow\/styles.css$/, replacement: source('dist/styles.css') },
    ],
  },
  build: {
    ...shared,
    outDir: source('dist/demo/playground'),
    modulePreload: false,
    rolldownOptions: {
      ...bundling,
      input: {
        element: source('src/playground/index.html'),
        component: source('src/playground/react.html'),
        coins: source('src/playground/coins.ts'),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', assetFileNames: '[name][extname]' },
    },
  },
}
