import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

export default defineConfig({
  // Vue takes every unknown tag for a component of its own.
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'pay-window' } } })],
  // While you develop: `npm start` in one terminal, `npx vite` in another.
  server: { proxy: { '/paywindow': 'http://localhost:3000', '/cart': 'http://localhost:3000' } },
})
