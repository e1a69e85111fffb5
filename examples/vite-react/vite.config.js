import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  // While you develop: `npm start` in one terminal, `npx vite` in another.
  server: { proxy: { '/paywindow': 'http://localhost:3000', '/cart': 'http://localhost:3000' } },
})
