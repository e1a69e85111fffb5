import { describe, expect, it } from 'vitest'
import { createSyncing } from './write-groups.ts'

/** Synchronisations that end when the test says so, and commits of others. */
function setUp() {
  const begun: { end: () => void; fail: (reason: Error) => void }[] = []
  let version = 1
  const synchronise = () => new Promise<void>((resolve, reject) => begun.push({ end: () => resolve(), fail: reject }))
  const syncing = createSyncing(synchronise, version)
  const done: string[] = []
  const note = (name: string, work: Promise<void>) =>
    work.then(
      () => done.push(name),
      (error: Error) => done.push(`${name}: ${error.message}`),
    )
  return {
    begun,
    done,
    commit: (name: string) => void note(name, syncing.committed()),
    read: (name: string) => void note(name, syncing.seen(version)),
    commitElsewhere: () => {
      version += 1
    },
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a commit', () => {
  it('is done when a synchronisation that began after it has ended', async () => {
    const { begun, done, commit } = setUp()
    commit('first')
    await turn()
    expect(begun).toHaveLength(1)
    commit('second')
    commit('third')
    await turn()
    expect([begun.length, done]).toEqual([1, []])
    begun[0]?.end()
    await turn()
    expect([begun.length, done]).toEqual([2, ['first']])
    begun[1]?.end()
    await turn()
    expect([begun.length, done]).toEqual([2, ['first', 'second', 'third']])
  })

  it('fails with its synchronisation, and the next one is tried anew', async () => {
    const { begun, done, commit } = setUp()
    commit('first')
    await turn()
    commit('second')
    begun[0]?.fail(new Error('no disk'))
    await turn()
    begun[1]?.end()
    await turn()
    expect(done).toEqual(['first: no disk', 'second'])
  })
})

describe('a read', () => {
  it('waits for nothing where everything is on the disk', async () => {
    const { begun, done, commit, read } = setUp()
    read('empty')
    commit('first')
    await turn()
    begun[0]?.end()
    await turn()
    read('later')
    await turn()
    expect([begun.length, done]).toEqual([1, ['empty', 'first', 'later']])
  })

  it('waits for the synchronisation of what it may have seen', async () => {
    const { begun, done, commit, read } = setUp()
    commit('first')
    await turn()
    read('with the first')
    commit('second')
    read('with the second')
    begun[0]?.end()
    await turn()
    expect(done).toEqual(['first', 'with the first'])
    begun[1]?.end()
    await turn()
    expect(done).toEqual(['first', 'with the first', 'second', 'with the second'])
  })

  it('has the commits of other processes synchronised, which may not have done so yet', async () => {
    const { begun, done, read, commitElsewhere } = setUp()
    commitElsewhere()
    read('theirs')
    await turn()
    expect([begun.length, done]).toEqual([1, []])
    begun[0]?.end()
    await turn()
    read('again')
    await turn()
    expect([begun.length, done]).toEqual([1, ['theirs', 'again']])
  })
})
