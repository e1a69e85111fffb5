import { describe, expect, it } from 'vitest'
import { setUp } from './world.testing.ts'

const order = { sourceAsset: 'ETH', targetAsset: 'USD', targetAmount: '49.90' }
const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const add = ['wallet', 'add', '--asset', 'USDC', '--network', 'erc-20', '--address', address, '--name', 'Treasury']
const answering =
  (body: string, status = 200) =>
  () =>
    Promise.resolve(new Response(body, { status }))

describe('paywindow orders', () => {
  it('prints a table that lines up, ids in full', async () => {
    const { sandbox, command } = setUp()
    const first = sandbox.addOrder({ ...order, description: 'Order 1' })
    // Two orders of the same millisecond may be listed in either order.
    sandbox.clock.advance(1000)
    const second = sandbox.addOrder({ ...order, targetAmount: '5', recipientEmail: 'dora@shop.example' })
    const { code, stdout, stderr } = await command(['orders'])
    const lines = stdout.split('\n')
    expect([code, stderr, lines.length]).toEqual([0, '', 5])
    expect(lines[1]).toContain(second.id)
    expect(lines[2]).toContain(first.id)
    for (const word of ['49.9 USD', '0.01595544 ETH', 'Order 1']) expect(lines[2]).toContain(word)
    expect(lines[1]?.indexOf('5 USD')).toBe(lines[0]?.indexOf('BUYS'))
    expect(lines[3]).toBe('Page 1 of 1.')
  })

  it('sends the query that the options name', async () => {
    const { sandbox, command } = setUp()
    sandbox.addOrder({ ...order, description: 'A' })
    const paid = sandbox.addOrder({ ...order, description: 'B' })
    sandbox.payer.deposit({ address: paid.address ?? '', amount: paid.sourceAmount })
    const line = [
      'orders',
      '--status',
      'pending',
      '--search',
      'b',
      '--order-by',
      'created_at',
      '--page',
      '1',
      '--size',
      '5',
    ]
    const { stdout } = await command([...line, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      orders: [{ id: paid.id, status: 'pending', sourceAmount: paid.sourceAmount }],
      unreadable: 0,
      page: 1,
      size: 5,
      totalPages: 1,
    })
  })

  it('says that there are no orders', async () => {
    expect(await setUp().command(['orders'])).toEqual({ code: 0, stdout: 'No orders.\n', stderr: '' })
  })

  it('counts items that it could not read', async () => {
    const { command } = setUp()
    const { code, stderr } = await command(['orders'], {}, answering('{"orders":[{"status":"open"}]}'))
    expect([code, stderr]).toEqual([0, 'paywindow: 1 of the orders on this page could not be read.\n'])
  })
})

describe('paywindow order', () => {
  it('prints one order, and as JSON for programs', async () => {
    const { sandbox, command } = setUp()
    const { id, sourceAmount } = sandbox.addOrder(order)
    const { code, stdout } = await command(['order', id])
    expect(code).toBe(0)
    expect(stdout).toContain(`Order:        ${id}\nStatus:       open\nPays:         ${sourceAmount} ETH\n`)
    expect(JSON.parse((await command(['order', id, '--json'])).stdout)).toMatchObject({ id, sourceAmount })
  })

  it('shows an unknown status as it was received', async () => {
    const { command } = setUp()
    const { stdout } = await command(['order', 'o-1'], {}, answering('{"id":"o-1","status":"Frozen"}'))
    expect(stdout).toContain('Frozen?')
  })
})

describe('paywindow wallet', () => {
  it('registers an address, prints it in full, and removes it', async () => {
    const { sandbox, command } = setUp()
    const { code, stdout, stderr } = await command(add)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(new RegExp(`Address: +${address}\n`))
    const id = sandbox.wallets()[0]?.id ?? ''
    expect(await command(['wallet', 'remove', id])).toMatchObject({
      code: 0,
      stdout: `Removed ${id}: Wallet address deleted\n`,
    })
    expect(sandbox.wallets()).toEqual([])
  })

  it('prints JSON for programs', async () => {
    expect(JSON.parse((await setUp().command([...add, '--json'])).stdout)).toMatchObject({ address, asset: 'USDC' })
  })

  it.each(['0x12 34', '0x1234\u202e', 'bitcoin:abc?amount=1', ''])('sends nothing for the address %j', async (bad) => {
    const { sandbox, command } = setUp()
    const { code, stderr } = await command(add.map((word) => (word === address ? bad : word)))
    expect(code).toBe(2)
    expect(stderr).toContain('address')
    expect(sandbox.wallets()).toEqual([])
  })

  it('warns of an unknown pair of asset and network, and of tags', async () => {
    const { command } = setUp()
    const { stderr } = await command(add.map((word) => (word === 'erc-20' ? 'ripple' : word)))
    expect(stderr).toContain('USDC is not known to be on the network ripple')
    expect(stderr).toContain('often need a tag')
  })

  it.each([
    ['address', { address: '0x0000000000000000000000000000000000000000' }],
    ['asset', { asset: 'USDT' }],
    ['network', { network: 'polygon' }],
  ])('fails when the service registered another %s', async (what, change) => {
    const body = JSON.stringify({ id: 'w-1', address, asset: 'USDC', network: 'erc-20', ...change })
    const { code, stderr } = await setUp().command(add, {}, answering(body))
    expect(code).toBe(1)
    expect(stderr).toContain(`a different ${what}`)
    expect(stderr).toContain('wallet remove w-1')
  })
})

it('takes the address that the service spells in another way for the one that was asked for', async () => {
  const spelt = { id: 'w-1', address: address.toLowerCase(), asset: 'usdc', network: 'ERC20' }
  expect((await setUp().command(add, {}, answering(JSON.stringify(spelt)))).code).toBe(0)
})

describe('the environment', () => {
  const none = {
    PAYWINDOW_SERVICE_URL: undefined,
    PAYWINDOW_ACCESS_TOKEN: undefined,
    PAYWINDOW_SUB_ACCOUNT_ID: undefined,
  }

  it.each([['orders'], ['order', 'x'], add, ['wallet', 'remove', 'x']])('is needed for %s', async (...line) => {
    const { code, stderr } = await setUp().command(line, none)
    expect(code).toBe(2)
    expect(stderr).toContain('PAYWINDOW_SERVICE_URL, PAYWINDOW_ACCESS_TOKEN and PAYWINDOW_SUB_ACCOUNT_ID')
    expect(stderr).toContain('npx paywindow sandbox')
  })

  it('is described exactly where it is incomplete', async () => {
    const { code, stderr } = await setUp().command(['orders'], { PAYWINDOW_ACCESS_TOKEN: '' })
    expect([code, stderr]).toEqual([2, 'paywindow: Not set: PAYWINDOW_ACCESS_TOKEN.\n'])
  })

  it.each([
    ['PAYWINDOW_SERVICE_URL', 'ftp://x'],
    ['PAYWINDOW_ACCESS_TOKEN', 'my secret'],
    ['PAYWINDOW_SUB_ACCOUNT_ID', 'a b'],
  ])('with a bad %s names that option, without its value', async (name, value) => {
    const { code, stderr } = await setUp().command(['orders'], { [name]: value })
    expect(code).toBe(2)
    expect(stderr).toContain(name)
    expect(stderr).not.toContain(value)
  })
})

describe('failures', () => {
  it.each([
    ['of the token', 401, 1, 'Check PAYWINDOW_ACCESS_TOKEN'],
    ['of the sub-account', 403, 1, 'Check that PAYWINDOW_SUB_ACCOUNT_ID'],
    ['of the id', 404, 1, 'Check the id'],
    ['of the request', 400, 1, '“No thanks”'],
    ['of the service', 500, 1, 'The request may have succeeded anyway'],
  ])('%s are one clear line', async (_, status, code, words) => {
    const answer = answering(JSON.stringify({ message: 'No\u0007\nthanks' }), status)
    const { code: exit, stderr } = await setUp().command(['wallet', 'remove', 'w-1'], {}, answer)
    expect(exit).toBe(code)
    expect(stderr).toContain(words)
    expect(stderr.split('\n')).toHaveLength(2)
    expect(stderr).not.toContain('sandbox-token')
  })

  it('of reads give no warning about repeating', async () => {
    const { code, stderr } = await setUp().command(['order', 'x'], {}, answering('<html>'))
    expect(code).toBe(1)
    expect(stderr).toContain("the response is not in the service's format")
    expect(stderr).not.toContain('may have succeeded')
  })
})

describe('usage', () => {
  it.each([
    ['no command', []],
    ['an unknown command', ['pay']],
    ['an unknown option', ['orders', '--all']],
    ['an unknown status', ['orders', '--status', 'paid']],
    ['an unknown ordering', ['orders', '--order-by', 'amount']],
    ['a page that is no number', ['orders', '--page', 'two']],
    ['a size of zero', ['orders', '--size', '0']],
    ['no id', ['order']],
    ['a wallet without a name', add.slice(0, -2)],
    ['an id that is none', ['order', '..']],
  ])('with %s is refused', async (_, line) => {
    const { code, stdout, stderr } = await setUp().command(line)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).not.toBe('')
  })

  it('is printed on request', async () => {
    const { code, stdout } = await setUp().command(['orders', '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('--order-by')
  })
})
