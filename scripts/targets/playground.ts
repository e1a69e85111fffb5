import type { UserConfig } from 'vite'
import { production, shared, source } from './shared.ts'

/** The frame of the playground, which runs the built server and sandbox in the page, and the icons of the gallery. */
export const playground: UserConfig = {
  base: './',
  define: production,
  // The package says that servers are no code for browsers. Here one plays both.
  resolve: { alias: [{ find: /^paywindow\/(server|sandbox)$/, replacement: source('dist/$1.js') }] },
  build: {
    ...shared,
    outDir: source('dist/demo/playground'),
    modulePreload: false,
    rolldownOptions: {
      input: { frame: source('src/playground/index.html'), coins: source('src/playground/coins.ts') },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', assetFileNames: '[name][extname]' },
    },
  },
}
