import type { UserConfig } from 'vite'
import { bundling, shared } from './shared.ts'

/** Browser files of the demo shop. They import the built package by its name, as a shop would. */
export const demo = (nodeEnv: 'production' | 'development'): UserConfig => ({
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
