/** Bundlers complain of a page with server code, but not of servers, workers and tests. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, createServer, type InlineConfig } from 'vite'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { reason } from '../../scripts/not-for-browsers.ts'
import { createProject } from './project.testing.ts'

const project = createProject('module', ['@opentelemetry/api'])
afterAll(project.remove)

const serverEntries = Object.entries(packageJson.exports).flatMap(([name, target]) =>
  typeof target === 'object' && 'browser' in target ? [name.replace('.', 'paywindow')] : [],
)

/** Builds a file of the shop, and returns all code that comes out. */
async function bundled(source: string, options: InlineConfig = {}): Promise<string> {
  const entry = join(project.folder, 'entry.js')
  writeFileSync(entry, source)
  const outDir = join(project.folder, 'out')
  // Vite takes the one of the tests for development.
  vi.stubEnv('NODE_ENV', 'production')
  onTestFinished(() => void vi.unstubAllEnvs())
  await build({
    root: project.folder,
    configFile: false,
    logLevel: 'silent',
    ...options,
    build: { outDir, emptyOutDir: true, minify: false, rolldownOptions: { input: entry }, ...options.build },
  })
  return globSync('**/*.js', { cwd: outDir })
    .map((file) => readFileSync(join(outDir, file), 'utf8'))
    .join('\n')
}

function whatIsIn(code: string) {
  return { reason: code.includes(reason), server: code.includes('accessToken') }
}

describe('a page', () => {
  it('has no server entry that is left out here', () => {
    const server = Object.keys(packageJson.exports).filter((name) =>
      /server|service|sandbox|telemetry|testing/.test(name),
    )
    expect(serverEntries).toEqual(server.map((name) => name.replace('.', 'paywindow')))
  })

  it.each(serverEntries)('that imports a name from %s stops the build', async (name) => {
    const [first = ''] = Object.keys(await import(join(project.installed, nodeFileOf(name))))
    await expect(bundled(`import { ${first} } from '${name}'\nconsole.log(${first})`)).rejects.toThrow(
      new RegExp(`"${first}" is not exported by ".*not-for-browsers\\.js"`),
    )
  })

  it.each([
    ['when it asks for it', `const { createPaywindow } = await import('paywindow/server')\ncreatePaywindow({})`],
    ['as a whole', `import * as server from 'paywindow/server'\nconsole.log(server)`],
    ['without a name', `import 'paywindow/server'`],
    ['with require', `console.log(require('paywindow/server/node'))`],
  ])('that imports it %s gets the reason in its place', async (_, source) => {
    const code = await bundled(source)
    expect(whatIsIn(code)).toEqual({ reason: true, server: false })
  })

  it('that is served for development shows the reason', async () => {
    const server = await createServer({
      root: project.folder,
      configFile: false,
      logLevel: 'silent',
      server: { middlewareMode: true, ws: false },
      optimizeDeps: { noDiscovery: true },
    })
    const found = await server.environments.client.pluginContainer.resolveId('paywindow/server/node')
    await server.close()
    // A module would be refused for its missing names, before it could say anything.
    expect(found?.id).toMatch(/not-for-browsers\.cjs$/)
    const { output, code } = project.node('-e', `require(${JSON.stringify(found?.id)})`)
    expect({ says: output.includes(reason), code }).toEqual({ says: true, code: 1 })
  })
})

const source = `import { createPaywindow } from 'paywindow/server'\nexport default createPaywindow`

it.each<[string, InlineConfig]>([
  ['the server half of a framework', { ssr: { noExternal: true } }],
  [
    'a Worker',
    { ssr: { noExternal: true, target: 'webworker', resolve: { conditions: ['workerd', 'worker', 'browser'] } } },
  ],
  [
    'the edge runtime of Next.js',
    { ssr: { noExternal: true, target: 'webworker', resolve: { conditions: ['edge-light', 'browser'] } } },
  ],
  // Tests of components ask for it, and tests of the server run beside them.
  ['tests with the condition `browser`', { ssr: { noExternal: true, resolve: { conditions: ['node', 'browser'] } } }],
])('%s has the server', async (_, options) => {
  const code = await bundled(source, { ...options, build: { ssr: true } })
  expect(whatIsIn(code)).toEqual({ reason: false, server: true })
})

function nodeFileOf(name: string): string {
  const target = Object.entries(packageJson.exports).find(([each]) => each.replace('.', 'paywindow') === name)?.[1]
  if (typeof target !== 'object') throw new Error(`${name} is no entry`)
  return target.default
}
