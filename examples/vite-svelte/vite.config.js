import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [svelte()],
  // While you develop: `npm start` in one terminal, `npx vite` in another.
  server: { proxy: { '/paywindow': 'http://localhost:3000', '/cart': 'http://localhost:3000' } },
})
