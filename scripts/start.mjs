/**
 * `npm start`: from a fresh clone to the demo shop in the browser. Installs and builds when that is needed, then serves.
 * Runs on the machine's own Node before anything is installed; all else runs on one that is new enough.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, env, node, root, run } from './setup.mjs'

await ensureInstalled()
if (isStale()) {
  const code = await run(node, ['scripts/build.ts', '--shop'], { doing: 'building' })
  if (code !== 0) process.exit(code)
}
serve()

function serve() {
  const server = spawn(node, ['src/demo/server.ts'], { cwd: root, stdio: 'inherit', env })
  // A terminal sends Ctrl-C to both; a process manager only to us. The server ends once, however often it is told to.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
  server.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)))
}

/** Whether any source is newer than the last build that was finished. */
function isStale() {
  const built = join(root, 'dist', 'demo', 'built')
  if (!existsSync(built)) return true
  const builtAt = statSync(built).mtimeMs
  return ['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'].some(
    (path) => newest(join(root, path)) > builtAt,
  )
}

function newest(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  // The folder's own time tells of files that were removed.
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}
