/**
 * Two servers to compare with: a bare pass-through to the service, and the smallest correct server.
 * That one reads a checkout from the same file, compares its key and answers with the record.
 */
import { DatabaseSync } from 'node:sqlite'
import { listen } from '../../../src/cli/listen.ts'
import { keyHeader } from '../../../src/contract/checkout.ts'
import type { MerchantSetup, PlainPorts } from './messages.ts'

const { baseUrl, accessToken, subAccountId, store }: MerchantSetup = JSON.parse(process.argv[2] ?? '{}')
const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}`, 'x-sub-account-id': subAccountId }
if (store.kind !== 'sqlite') throw new Error('Paywindow is measured beside others with SQLite only')
const select = new DatabaseSync(store.path, { readOnly: true }).prepare('SELECT value FROM records WHERE key = ?')

const passThrough = await listen(async (request) => {
  const { pathname, search } = new URL(request.url)
  const answer = await fetch(`${baseUrl}${pathname}${search}`, { headers })
  return new Response(answer.body, { status: answer.status, headers: { 'content-type': 'application/json' } })
}, 0)

const smallest = await listen(async (request) => {
  const id = new URL(request.url).pathname.split('/').at(-1)
  const value = select.get(`checkout ${id}`)?.value
  const checkout = typeof value === 'string' ? JSON.parse(value) : undefined
  if (checkout?.key !== request.headers.get(keyHeader)) return new Response(null, { status: 404 })
  const { status, instructions, history } = checkout
  return Response.json({ id, status, instructions, history })
}, 0)

process.on('disconnect', () => process.exit())
process.send?.({ passThrough: passThrough.port, smallest: smallest.port } satisfies PlainPorts)
