/** The process that a command runs in. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  readonly fetch: typeof fetch
  /** The working directory. */
  readonly folder: string
  /** Aborts when the process is asked to end. */
  readonly stop: AbortSignal
}

/** Resolves when the process is asked to end. */
export function untilStopped({ stop }: Pick<World, 'stop'>): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve()
    else stop.addEventListener('abort', () => resolve(), { once: true })
  })
}
