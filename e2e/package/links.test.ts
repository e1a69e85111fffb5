/** From an empty folder to a payment link, word for word as docs/links.md says. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, it } from 'vitest'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'
import { createProject } from './project.testing.ts'

const project = createProject('module', [])
let running: ChildProcess | undefined
afterAll(() => {
  running?.kill()
  project.remove()
})

it('ten statements print a link that can be paid', async () => {
  const page = readFileSync(join(project.installed, 'docs/links.md'), 'utf8')
  const [, code = ''] = /```js\n(.*?)```/s.exec(page) ?? []
  expect(code.match(/^(import|const|paywindow|await|console)\b/gm)?.length).toBeLessThanOrEqual(10)
  const port = await freePort()
  writeFileSync(join(project.folder, 'pay.mjs'), code.replaceAll('3000', `${port}`))
  running = spawn(process.execPath, ['pay.mjs'], { cwd: project.folder, stdio: ['ignore', 'pipe', 'inherit'] })
  if (!running.stdout) throw new Error('the program has no output')
  const [url] = await once(createInterface(running.stdout), 'line')

  const first = await fetch(url)
  expect([first.status, await first.text()]).toEqual([200, expect.stringContaining('$49.90')])
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const body = new URLSearchParams({ act: 'choose BTC bitcoin' })
  const headers = { cookie, origin: `http://localhost:${port}` }
  expect((await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })).status).toBe(303)
  expect(await (await fetch(url, { headers })).text()).toContain('class="pw-exact"')
})
