import type { UserConfig } from 'vite'
import { cliEntry, serverEntries } from '../entries.ts'
import { bundling, licensed, shared } from './shared.ts'

/** The server entries and the command. */
export const server: UserConfig = {
  build: {
    ...shared,
    sourcemap: true,
    ...licensed('server'),
    ssr: true,
    rolldownOptions: {
      ...bundling,
      input: { ...serverEntries, ...cliEntry },
      output: { chunkFileNames: 'chunks/server-[hash].js' },
    },
  },
}
