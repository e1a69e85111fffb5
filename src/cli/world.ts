/** What a command needs from the process that it runs in. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  readonly fetch: typeof fetch
  /** Folder in which the command was given. */
  readonly folder: string
  /** Aborts when the process is asked to end. */
  readonly stop: AbortSignal
}
