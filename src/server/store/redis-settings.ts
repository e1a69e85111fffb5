/** What the settings of a Redis mean for a store: which of them would lose records, and in what way. */

/** Settings as far as they could be read: managed services forbid some of it. */
export interface RedisSettings {
  /** The text of INFO, empty where it could not be read. */
  readonly info: string
  /** Of `appendfsync` and `save`; undefined where CONFIG could not be read. */
  readonly appendfsync: string | undefined
  readonly save: string | undefined
}

const advice = 'Set appendonly yes and appendfsync always.'

/** Why no store may be in this Redis, or undefined. A key without an end is evicted under `allkeys-…` only, and ours have none. */
export function refusalOf({ info }: RedisSettings): string | undefined {
  const policy = readInfo(info).get('maxmemory_policy')
  if (!policy?.startsWith('allkeys-')) return undefined
  return (
    `maxmemory-policy of this Redis is ${policy}: when its memory is full it deletes records, and with them what was paid. ` +
    'Set it to noeviction, or use a Redis that is not a cache'
  )
}

/** What may be lost, in one sentence or more for each way. None where the settings are right and all could be read. */
export function warningsOf({ info, appendfsync, save }: RedisSettings): string[] {
  const read = readInfo(info)
  const isAppending = read.get('aof_enabled')
  const hasReplicas = Number(read.get('connected_slaves') ?? 0) > 0
  return [
    ...(read.has('maxmemory_policy')
      ? []
      : [
          'INFO may not be read in this Redis. See to it yourself that its maxmemory-policy is noeviction or volatile-….',
        ]),
    ...(isAppending === undefined ? [`It could not be checked what a crash of this Redis loses. ${advice}`] : []),
    ...(isAppending === '1' ? ofAppending(appendfsync) : []),
    ...(isAppending === '0' ? [ofSnapshots(save)] : []),
    ...(hasReplicas
      ? [
          'This Redis has replicas, which follow it a moment later. A failover loses what has not reached the one that takes over.',
        ]
      : []),
  ]
}

function ofAppending(appendfsync: string | undefined): string[] {
  switch (appendfsync) {
    case 'always':
      return []
    case 'everysec':
      return ['appendfsync is everysec: a crash of the machine loses the last second or two. Set it to always.']
    case 'no':
      return ['appendfsync is no: a crash of the machine loses the last half minute or so. Set it to always.']
    default:
      return [
        'CONFIG may not be read in this Redis, so appendfsync could not be checked. A crash of the machine loses nothing with always, ' +
          'the last second or two with everysec, and the last half minute or so with no.',
      ]
  }
}

function ofSnapshots(save: string | undefined): string {
  if (save === undefined)
    return (
      'appendonly is no: a crash loses all since the last snapshot, or everything if none are made. CONFIG may not be read in this ' +
      `Redis, so that could not be checked. ${advice}`
    )
  return save === ''
    ? `appendonly is no, and no snapshots are made: everything is lost when this Redis ends. ${advice}`
    : `appendonly is no: a crash loses all since the last snapshot, of which this Redis makes one by save ${save}. ${advice}`
}

function readInfo(info: string): ReadonlyMap<string, string> {
  return new Map(
    info.split(/\r?\n/).flatMap((line) => {
      const end = line.indexOf(':')
      return end < 0 ? [] : [[line.slice(0, end), line.slice(end + 1)] as const]
    }),
  )
}
