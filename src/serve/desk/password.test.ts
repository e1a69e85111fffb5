import type { scrypt } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { hashPassword, isPasswordOf } from './password.ts'

const underWay = vi.hoisted(() => ({ now: 0, most: 0 }))
vi.mock('node:crypto', async (original) => {
  const real = await original<{ readonly scrypt: typeof scrypt }>()
  const counting: typeof scrypt = (...args: unknown[]) => {
    const done = args.pop() as (...results: unknown[]) => void
    Reflect.apply(real.scrypt, undefined, [
      ...args,
      (...results: unknown[]) => {
        underWay.now -= 1
        done(...results)
      },
    ])
    underWay.now += 1
    underWay.most = Math.max(underWay.most, underWay.now)
  }
  return { ...real, scrypt: counting }
})

it('passwords are checked one at a time, so that threads are left for all else', async () => {
  const hash = await hashPassword('right', { log: 14, blocks: 8, parallel: 1 })
  const broken = hash.replace(/^scrypt:14/, 'scrypt:0')
  const tries = ['right', 'wrong', 'right'].map((password) => isPasswordOf(hash, password))
  await expect(isPasswordOf(broken, 'right')).rejects.toThrow()
  expect(await Promise.all([...tries, isPasswordOf(hash, 'right')])).toEqual([true, false, true, true])
  expect(underWay.most).toBe(1)
})
