import type { UserConfig } from 'vite'
import { drawCoin } from '../../src/server/icons/coins/coin-icons.ts'
import { shared, source } from './shared.ts'

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
