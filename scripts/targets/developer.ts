import type { UserConfig } from 'vite'
import { advice } from '../advice.ts'
import { bundling, licensed, minified, shared } from './shared.ts'

/** What the script loads on a developer's own machine. */
export const developer: UserConfig = {
  define: advice,
  build: {
    ...shared,
    ...licensed('developer'),
    // Beside it, as the script's: a page that serves a copy has no map to find.
    sourcemap: 'hidden',
    lib: { entry: { 'paywindow-developer': 'src/developer/index.ts' }, formats: ['es'] },
    rolldownOptions: { ...bundling, output: minified },
  },
}
