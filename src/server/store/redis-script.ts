/**
 * The script of the Redis store, with all its verbs. Redis runs nothing else meanwhile, so each
 * verb is atomic. Nothing undoes a script whose command fails: so `prepare` tries each command
 * first, and the store refuses unfit values before it sends them.
 *
 * `records` has `version value` by key. `labelsOf` and `dueOf` name the lists that each record is
 * on, to take the record off them. `labels` and `due` are the lists: sorted sets with the score 0,
 * so that members sort by their bytes. Members are `label NUL key` and `queue NUL time NUL key`.
 */

/** The version of the keys' contents. */
export const layoutVersion = 1
/** The oldest version that may use keys of this one. */
export const oldestLayoutVersion = 1

/**
 * Keys in the order in which the script takes them. A cluster lets a script use several keys only
 * with one hash tag.
 */
export function keysOf(prefix: string): readonly [string, ...string[]] {
  const named = ['labelsOf', 'dueOf', 'labels', 'due', 'leases', 'version', 'probe'].map(
    (name) => `{${prefix}}:${name}`,
  )
  return [`{${prefix}}:records`, ...named]
}

/** The script's reply if this version may not use the keys. */
export const keysAreNewer = 'PAYWINDOW_NEWER'

/** `ARGV[1]` is the verb, the rest are its values, all text. */
export const script = String.raw`
local records, labelsOf, dueOf, labels, due, leases, layout, probe = unpack(KEYS)
local at = 1
local function take()
  at = at + 1
  return ARGV[at]
end

local function versionOf(key)
  local stored = redis.call('HGET', records, key)
  return stored and string.match(stored, '^%d+') or 'none'
end

-- Each entry of a text ends with a NUL; one of dueOf has another within it.
local entryOf = { [labelsOf] = '([^%z]*)%z', [dueOf] = '([^%z]*%z[^%z]*)%z' }
local listsOf = { [labelsOf] = labels, [dueOf] = due }

local function put(kept, key, text)
  local old = redis.call('HGET', kept, key) or ''
  if old == text then return end
  for entry in string.gmatch(old, entryOf[kept]) do redis.call('ZREM', listsOf[kept], entry .. '\0' .. key) end
  for entry in string.gmatch(text, entryOf[kept]) do redis.call('ZADD', listsOf[kept], 0, entry .. '\0' .. key) end
  if text == '' then redis.call('HDEL', kept, key) else redis.call('HSET', kept, key, text) end
end

-- The records of these keys that are there: key, version and value, queues, and so on.
local function read(keys)
  local found = {}
  for _, key in ipairs(keys) do
    local stored = redis.call('HGET', records, key)
    if stored then
      found[#found + 1] = key
      found[#found + 1] = stored
      found[#found + 1] = redis.call('HGET', dueOf, key) or ''
    end
  end
  return found
end

local function readMembers(members)
  for index, member in ipairs(members) do members[index] = string.match(member, '([^%z]*)$') end
  return read(members)
end

local verbs = {}

function verbs.prepare()
  redis.call('HLEN', records)
  redis.call('HLEN', labelsOf)
  redis.call('HLEN', dueOf)
  redis.call('HLEN', leases)
  redis.call('ZRANGEBYLEX', due, '[', '(', 'LIMIT', 0, 1)
  redis.call('ZREVRANGEBYLEX', labels, '(', '[', 'LIMIT', 0, 1)
  redis.call('TIME')
  -- What deletes comes first: where it is not allowed, nothing is left behind.
  redis.call('HDEL', probe, 'a')
  redis.call('ZREM', probe, 'a')
  redis.call('HSET', probe, 'a', 'b')
  redis.call('HGET', probe, 'a')
  redis.call('HDEL', probe, 'a')
  redis.call('ZADD', probe, 0, 'a')
  redis.call('ZREM', probe, 'a')
  redis.call('SET', layout, take(), 'NX')
  local info = redis.pcall('INFO')
  return { redis.call('GET', layout), type(info) == 'string' and info or '' }
end

-- A record whose version is 'none' is created.
function verbs.write()
  local done = {}
  while at < #ARGV do
    local key, version, value, labelsText, dueText = take(), take(), take(), take(), take()
    if versionOf(key) == version then
      put(labelsOf, key, labelsText)
      put(dueOf, key, dueText)
      redis.call('HSET', records, key, string.format('%d ', (tonumber(version) or 0) + 1) .. value)
      done[#done + 1] = key
    end
  end
  return done
end

function verbs.reschedule()
  local done = {}
  while at < #ARGV do
    local key, version, dueText = take(), take(), take()
    if versionOf(key) == version then
      put(dueOf, key, dueText)
      done[#done + 1] = key
    end
  end
  return done
end

function verbs.remove()
  local key, version = take(), take()
  if versionOf(key) ~= version then return {} end
  put(labelsOf, key, '')
  put(dueOf, key, '')
  redis.call('HDEL', records, key)
  return { key }
end

function verbs.read()
  local keys = {}
  while at < #ARGV do keys[#keys + 1] = take() end
  return read(keys)
end

function verbs.listDue()
  return readMembers(redis.call('ZRANGEBYLEX', due, take(), take(), 'LIMIT', 0, take()))
end

function verbs.list()
  return readMembers(redis.call('ZREVRANGEBYLEX', labels, take(), take(), 'LIMIT', 0, take()))
end

-- By the clock of this server. The same rule as isHeld.
function verbs.lease()
  local name, holder, forMs = take(), take(), take()
  local time = redis.call('TIME')
  local nowMs = time[1] * 1000 + time[2] / 1000
  local held = redis.call('HGET', leases, name)
  if held then
    local takenAtMs, heldForMs, heldBy = string.match(held, '^(%S+) (%S+) (.*)$')
    if heldBy ~= holder and math.abs(nowMs - takenAtMs) < tonumber(heldForMs) then return {} end
  end
  redis.call('HSET', leases, name, string.format('%.3f %s ', nowMs, forMs) .. holder)
  return { name }
end

function verbs.release()
  local name, holder = take(), take()
  local held = redis.call('HGET', leases, name)
  if held and string.match(held, '^%S+ %S+ (.*)$') == holder then redis.call('HDEL', leases, name) end
  return {}
end

-- A newer version may have changed the keys since this one looked at them. The last number is the oldest version that may use them.
local oldest = string.match(redis.call('GET', layout) or '', '%d+$')
if ARGV[1] ~= 'prepare' and oldest and tonumber(oldest) > ${layoutVersion} then return redis.error_reply('${keysAreNewer}') end
return verbs[ARGV[1]]()
`
