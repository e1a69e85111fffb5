import node from '@astrojs/node'
import { defineConfig } from 'astro/config'

// The endpoint of payments needs a server, and so does a page with the visitor's cart.
export default defineConfig({ adapter: node({ mode: 'standalone' }), server: { port: 3000 } })
