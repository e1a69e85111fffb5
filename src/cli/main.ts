#!/usr/bin/env node
/** `npx paywindow …`: runs a command in this process. */

// A dynamic import, so that an old Node fails with one line.
const { run } = await import('./program.ts').catch((error: unknown) => {
  process.stderr.write(`paywindow: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})

const stop = new AbortController()
// The second one ends at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => (stop.signal.aborted ? process.exit(1) : stop.abort()))

// A reader such as `head` may close the pipe early, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  fetch: (input, init) => fetch(input, init),
  folder: process.cwd(),
  stop: stop.signal,
})
