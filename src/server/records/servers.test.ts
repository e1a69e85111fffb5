import { expect, it } from 'vitest'
import { createMemoryStore } from '../store/memory.ts'
import { createRepository } from './repository.ts'

const entry = { atMs: 1, share: 2_000, wants: 3, holdMs: 0 }

/** What is stored after a server has written its entry to the record. */
async function afterOwn(value: string): Promise<string | undefined> {
  const store = createMemoryStore()
  await store.create({ key: 'servers', value, due: [], labels: [] })
  await createRepository(store).updateServers((servers) => ({ ...servers, own: entry }))
  return (await store.read('servers'))?.value
}

it('a field of an entry that this version does not know stays as it is', async () => {
  const servers = { other: { region: 'eu', ...entry } }
  const after = await afterOwn(JSON.stringify({ v: 1, servers }))
  expect(after).toBe(JSON.stringify({ v: 1, servers: { ...servers, own: entry } }))
})

it('a field beside the servers stays as it is', async () => {
  const after = await afterOwn(JSON.stringify({ v: 1, pace: 'slow', servers: {} }))
  expect(after).toBe(JSON.stringify({ v: 1, pace: 'slow', servers: { own: entry } }))
})

it.each(['', 'no JSON', '[]', '{"v":1}', '{"servers":{"other":{"atMs":"noon"}}}'])(
  'a damaged record (%s) is written anew',
  async (value) => {
    expect(await afterOwn(value)).toBe(JSON.stringify({ v: 1, servers: { own: entry } }))
  },
)
