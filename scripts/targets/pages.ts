/** Builds of pages that show the widget: demo shop, gallery and playground. */
import type { UserConfig } from 'vite'
import { drawCoin } from '../../src/server/icons/coins/coin-icons.ts'
import { bundling, production, shared, source } from './shared.ts'

/** Browser files of the demo shop, which import the built package by its name. */
export const demo = (nodeEnv: 'production' | 'development'): UserConfig => ({
  base: `/assets/${nodeEnv}/`,
  define: { 'process.env.NODE_ENV': JSON.stringify(nodeEnv) },
  build: {
    ...shared,
    outDir: `dist/demo/${nodeEnv}`,
    minify: nodeEnv === 'production',
    modulePreload: false,
    rolldownOptions: {
      ...bundling,
      input: {
        storefront: 'src/demo/browser/main.tsx',
        shop: 'src/demo/browser/shop.ts',
        payer: 'src/demo/browser/payer.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
  },
})

/** `npm run gallery`: every state of the widget, from its sources. */
export const gallery: UserConfig = {
  base: './',
  plugins: [
    {
      name: 'coin icons, as a merchant server draws them',
      configureServer: ({ middlewares }) => {
        middlewares.use('/paywindow/icons', async (request, response) => {
          const icon = drawCoin(request.url?.slice(1) ?? '')
          response.writeHead(icon ? 200 : 404, { 'content-type': 'image/svg+xml' }).end(await icon?.text())
        })
      },
    },
  ],
  publicDir: false,
  server: { port: 4243, strictPort: true },
  build: { ...shared, outDir: source('dist/demo/gallery'), modulePreload: false },
}

/** The frame of the playground with the built server and sandbox, and the icons of the gallery. */
export const playground: UserConfig = {
  base: './',
  define: production,
  // package.json refuses the server in browsers, but here it runs in the page.
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
