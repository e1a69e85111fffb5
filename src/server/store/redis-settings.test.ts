/** Refusals and warnings about the settings of a Redis. */
import { describe, expect, it } from 'vitest'
import { refusalOf, warningsOf } from './redis.ts'

const settings = (info: Record<string, string>, appendfsync?: string, save?: string) => ({
  info: Object.entries(info)
    .map(([name, value]) => `# Section\r\n${name}:${value}\r\n`)
    .join(''),
  appendfsync,
  save,
})
const safe = { maxmemory_policy: 'noeviction', aof_enabled: '1', connected_slaves: '0' }

describe('refusalOf', () => {
  it.each(['allkeys-lru', 'allkeys-lfu', 'allkeys-random', 'allkeys-lrm'])('refuses %s', (policy) => {
    expect(refusalOf(settings({ ...safe, maxmemory_policy: policy }))).toContain(
      `maxmemory-policy of this Redis is ${policy}`,
    )
  })

  it.each(['noeviction', 'volatile-lru', 'volatile-ttl'])('lets %s be: no key of a store has an end', (policy) => {
    expect(refusalOf(settings({ ...safe, maxmemory_policy: policy }))).toBeUndefined()
  })

  it('refuses nothing where it knows nothing', () => {
    expect(refusalOf(settings({}))).toBeUndefined()
  })
})

describe('warningsOf', () => {
  it.each([
    ['everysec', /loses the last second or two/],
    ['no', /loses the last half minute/],
    [undefined, /CONFIG may not be read in this Redis, so appendfsync could not be checked/],
  ])('says what is lost with appendfsync %s', (appendfsync, sentence) => {
    expect(warningsOf(settings(safe, appendfsync, ''))).toEqual([expect.stringMatching(sentence)])
  })

  it.each([
    ['', /everything is lost when this Redis ends/],
    ['3600 1 300 100', /a crash loses all since the last snapshot, .* save 3600 1 300 100/],
    [undefined, /since the last snapshot, or everything if none are made\. CONFIG may not be read/],
  ])('says what is lost without appendonly and with save %j', (save, sentence) => {
    expect(warningsOf(settings({ ...safe, aof_enabled: '0' }, 'always', save))).toEqual([
      expect.stringMatching(sentence),
    ])
  })

  it('says what a failover loses', () => {
    expect(warningsOf(settings({ ...safe, connected_slaves: '2' }, 'always'))).toEqual([
      expect.stringMatching(/A failover loses/),
    ])
  })

  it('says what could not be checked', () => {
    expect(warningsOf(settings({}))).toEqual([
      expect.stringMatching(/INFO may not be read/),
      expect.stringMatching(/could not be checked what a crash/),
    ])
  })

  it('says nothing where nothing is lost', () => {
    expect(warningsOf(settings(safe, 'always', ''))).toEqual([])
  })
})
