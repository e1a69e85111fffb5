/**
 * `npm start`: installs and builds if needed, then serves the demo shop. This script runs on the
 * machine's Node; everything else runs on a Node that is new enough.
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
  // A terminal sends Ctrl-C to both processes, a process manager only to this one. The server ends
  // once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
  server.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)))
}

/** Whether a source is newer than the last finished build. */
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
  // A removed file changes the time of its folder.
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}
