import type { UserConfig } from 'vite'
import { advice } from '../advice.ts'
import { elementEntries } from '../entries.ts'
import { bundling, licensed, light, minified, production, shared } from './shared.ts'

/** The custom element. */
export const element: UserConfig = {
  define: { ...production, ...advice },
  resolve: light,
  build: {
    ...shared,
    sourcemap: true,
    ...licensed('element'),
    lib: { entry: elementEntries, formats: ['es'] },
    rolldownOptions: { ...bundling, output: { ...minified, chunkFileNames: 'chunks/element-[hash].js' } },
  },
}
