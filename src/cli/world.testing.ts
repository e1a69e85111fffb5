/** For tests: a process for commands that collects what they print, with a sandbox in place of the service. */
import { createSandbox } from '../sandbox/sandbox.ts'
import { run } from './program.ts'

/** Runs commands against one sandbox. `environment` changes the process's variables; undefined removes a variable. */
export function setUp() {
  const sandbox = createSandbox()
  const { baseUrl, accessToken, subAccountId } = sandbox.access
  const complete = {
    PAYWINDOW_SERVICE_URL: baseUrl,
    PAYWINDOW_ACCESS_TOKEN: accessToken,
    PAYWINDOW_SUB_ACCOUNT_ID: subAccountId,
  }
  const command = async (
    line: readonly string[],
    environment: Readonly<Record<string, string | undefined>> = {},
    answer: typeof fetch = sandbox.fetch,
    folder = process.cwd(),
  ) => {
    const printed = { stdout: '', stderr: '' }
    const code = await run(line, {
      env: { ...complete, ...environment },
      stdout: (text) => (printed.stdout += text),
      stderr: (text) => (printed.stderr += text),
      fetch: answer,
      folder,
      stop: AbortSignal.abort(),
    })
    return { code, ...printed }
  }
  return { sandbox, command }
}
