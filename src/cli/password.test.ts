import { expect, it } from 'vitest'
import { isPasswordOf } from '../serve/desk/password.ts'
import { setUp } from './world.testing.ts'

it('prints a password and the variable with its hash, each time others', async () => {
  const { code, stdout, stderr } = await setUp().command(['password', 'tea-house'])
  expect([code, stderr]).toEqual([0, ''])
  const [, password = ''] = /^ {2}([2-9a-z-]{23})$/m.exec(stdout) ?? []
  const [, hash = ''] = /^ {2}export PAYWINDOW_TEA_HOUSE_ADMIN_PASSWORD_HASH=(\S+)$/m.exec(stdout) ?? []
  expect(await isPasswordOf(hash, password)).toBe(true)
  expect((await setUp().command(['password', 'tea-house'])).stdout).not.toContain(password)
})

it.each(['', 'Books', 'admin', '../books'])('takes no shop that cannot be: %j', async (shop) => {
  const { code, stderr } = await setUp().command(['password', shop])
  expect([code, stderr]).toEqual([2, expect.stringContaining('Must be the name of a shop')])
})
