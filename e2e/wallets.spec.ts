/**
 * Wallets in the payer's browser, found and asked by the built package. What a wallet answers is
 * tested in `src/wallet`.
 */
import type { Page } from '@playwright/test'
import { asRecord } from '../src/contract/parse.ts'
import { en } from '../src/locales/en.ts'
import { builds, core, expect, openPage, test } from './test.ts'
import { widgetOn } from './widget.ts'

const account = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const hash = `0x${'ab'.repeat(32)}`

/** The shop's payments are tests, which no wallet is asked to pay: here they pass for real ones. */
async function passForReal(page: Page): Promise<void> {
  await page.route('**/paywindow/checkouts**', async (route) => {
    const response = await route.fetch()
    const answer = response.ok() ? asRecord(await response.json(), 'answer') : {}
    if (typeof answer.address !== 'string') return route.fulfill({ response })
    await route.fulfill({ response, json: { ...answer, test: false, evm: { chainId: 1, decimals: 18 } } })
  })
}

/** Puts wallets into the page that answer as most do. What they were asked is in `window.asked`. */
async function haveWallets(page: Page, names: readonly string[], answers: Readonly<Record<string, unknown>> = {}) {
  await page.addInitScript(
    ({
      names,
      answers,
      account,
    }: {
      account: string
      names: readonly string[]
      answers: Readonly<Record<string, unknown>>
    }) => {
      const asked: { wallet: string; method: string; params: unknown }[] = []
      Object.assign(window, { asked })
      const announce = () => {
        for (const name of names) {
          const request = async ({ method, params }: { method: string; params: unknown }) => {
            asked.push({ wallet: name, method, params })
            const answer = answers[method]
            if (answer === 'refuse') throw Object.assign(new Error('no'), { code: 4001 })
            if (answer === 'silence' || answer === `silence of ${name}`) return new Promise(() => undefined)
            if (answer === 'once') {
              if ('allow' in window) throw Object.assign(new Error('pending'), { code: -32002 })
              return new Promise((resolve) => Object.assign(window, { allow: () => resolve([account]) }))
            }
            if (answer === 'later')
              return new Promise((_, reject) =>
                Object.assign(window, { refuse: () => reject(Object.assign(new Error('no'), { code: 4001 })) }),
              )
            if (method === 'eth_requestAccounts') return [account]
            return answer
          }
          const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'
          const detail = Object.freeze({ info: { uuid: name, name, icon, rdns: 'x' }, provider: { request } })
          window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
        }
      }
      window.addEventListener('eip6963:requestProvider', announce)
      announce()
    },
    {
      names,
      account,
      answers: {
        eth_requestAccounts: [account],
        eth_accounts: [account],
        eth_chainId: '0x1',
        eth_getCode: '0x',
        eth_getBalance: '0xde0b6b3a76400000',
        eth_estimateGas: '0x5208',
        eth_gasPrice: '0x3b9aca00',
        eth_sendTransaction: hash,
        eth_getTransactionByHash: null,
        ...answers,
      },
    },
  )
}

/** What the wallets of a page were asked to send. */
const requestsOn = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { asked: { method: string; params: unknown }[] }).asked
      .filter(({ method }) => method === 'eth_sendTransaction')
      .map(({ params }) => params),
  )

/** Opens the panel of the order in Ether, with its answer about the wallet on this device. */
async function openEther(page: Page, path: string) {
  await passForReal(page)
  const widget = await openPage(page, path)
  await widget.choose('Ether')
  await widget.pick(en.whereHere)
  return { ...widget, choose: widget.root.getByRole('button', { name: en.walletChoose }) }
}

for (const { build, path } of builds) {
  test.describe(`${build}:`, () => {
    test('a wallet is asked for exactly what the panel shows', core, async ({ page }) => {
      const files: string[] = []
      page.on('request', (request) => files.push(request.url()))
      await haveWallets(page, ['Fox', 'Rainbow'])
      const widget = await openEther(page, path)
      expect(files.filter((url) => /wallet/.test(url))).toEqual([])
      await widget.choose.click()
      const rainbow = widget.root.getByRole('button', { name: 'Rainbow' })
      await expect(rainbow.locator('.pw-icon')).toHaveCSS('width', '36px')
      await rainbow.click()
      await expect(widget.root.getByText(en.sentText)).toBeVisible()
      const [amount = '', fraction = ''] = (await widget.read(en.amount)).split('.')
      const value = `0x${BigInt(amount + fraction.padEnd(18, '0')).toString(16)}`
      const to = (await widget.read(en.address)).toLowerCase()
      expect(await requestsOn(page)).toEqual([[{ chainId: '0x1', from: account, to, value, data: '0x' }]])
    })

    test('where its user refuses, nothing was sent and the list is there again', async ({ page }) => {
      await haveWallets(page, ['Fox'], { eth_sendTransaction: 'refuse' })
      const widget = await openEther(page, path)
      await widget.choose.click()
      await expect(widget.root.getByText(en.walletDeclined)).toBeVisible()
      await expect(widget.root.getByRole('button', { name: 'Fox' })).toBeVisible()
    })

    test('a browser without a wallet shows no way to one', core, async ({ page }) => {
      const widget = await openEther(page, path)
      await expect(widget.root.getByRole('link', { name: en.openWallet })).toBeVisible()
      await expect(widget.choose).toBeHidden()
    })
  })
}

test('two tabs ask for one transaction between them', async ({ page, context }) => {
  await haveWallets(page, ['Fox'], { eth_sendTransaction: 'silence' })
  const first = await openEther(page, '/')
  const other = await context.newPage()
  await haveWallets(other, ['Fox'])
  await passForReal(other)
  await openPage(other, '/')
  const second = widgetOn(other)
  await second.asksForMoney()
  await page.bringToFront()
  await first.choose.click()
  await expect(first.root.getByText(en.walletConfirm)).toBeVisible()
  await other.bringToFront()
  await second.root.getByRole('button', { name: en.walletChoose }).click()
  await expect(second.root.getByText(en.walletUnsure)).toBeVisible()
  // The first tab is closed while its question is open: the wallet may send later.
  await page.close()
  await other.reload()
  await expect(second.root.getByText(en.payOnce)).toBeVisible()
  await second.root.getByRole('button', { name: en.walletChoose }).click()
  await expect(second.root.getByText(en.walletUnsure)).toBeVisible()
  expect(await requestsOn(other)).toEqual([])
})

test('while a wallet is asked, no other way invites to pay, and its answer is not lost elsewhere', async ({ page }) => {
  await haveWallets(page, ['Fox'], { eth_sendTransaction: 'later' })
  const widget = await openEther(page, '/')
  const link = widget.root.getByRole('link', { name: en.openWallet })
  await expect(link).toBeVisible()
  await widget.choose.click()
  await expect(widget.root.getByText(en.walletConfirm)).toBeFocused()
  await expect(link).toBeHidden()
  await widget.pick(en.whereOther)
  await expect(widget.root.getByText(en.payOnce)).toBeVisible()
  await page.evaluate(() => (window as unknown as { refuse: () => void }).refuse())
  await expect(widget.root.getByText(en.payOnce)).toBeHidden()
  await widget.pick(en.whereHere)
  await expect(widget.root.locator('.pw-wallets').getByText(en.walletDeclined)).toBeVisible()
  await expect(link).toBeVisible()
})

test('another quote of a cart that a wallet may have paid starts no wallet by itself', async ({ page }) => {
  await haveWallets(page, ['Fox'], { eth_sendTransaction: null })
  const widget = await openEther(page, '/')
  await widget.choose.click()
  await expect(widget.root.getByText(en.walletUnsure)).toBeVisible()
  await widget.root.getByRole('button', { name: en.change }).click()
  await widget.root.getByRole('button', { name: /^USD Coin/ }).click()
  await expect(widget.root.getByText(en.payOnce)).toBeVisible()
  await widget.choose.click()
  await expect(widget.root.getByText(en.walletUnsure)).toBeVisible()
  await expect(widget.root.getByRole('button', { name: 'Fox' })).toBeVisible()
  expect(await requestsOn(page)).toHaveLength(1)
})

test('a second press on a wallet that is asked keeps the first question', async ({ page }) => {
  await haveWallets(page, ['Fox', 'Rainbow'], { eth_requestAccounts: 'once' })
  const widget = await openEther(page, '/')
  await widget.choose.click()
  const fox = widget.root.getByRole('button', { name: 'Fox' })
  await fox.click()
  await expect(widget.root.getByText(en.walletAnswer)).toBeVisible()
  await fox.click()
  await page.evaluate(() => (window as unknown as { allow: () => void }).allow())
  await expect(widget.root.getByText(en.sentText)).toBeVisible()
  expect(await requestsOn(page)).toHaveLength(1)
})

test('a wallet that never answers can be left for another one', async ({ page }) => {
  await haveWallets(page, ['Fox', 'Rainbow'], { eth_requestAccounts: 'silence of Fox' })
  const widget = await openEther(page, '/')
  await widget.choose.click()
  await widget.root.getByRole('button', { name: 'Fox' }).click()
  await expect(widget.root.getByText(en.walletAnswer)).toBeVisible()
  await widget.root.getByRole('button', { name: 'Rainbow' }).click()
  await expect(widget.root.getByText(en.sentText)).toBeVisible()
  expect(await requestsOn(page)).toHaveLength(1)
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test('wallets have links by name, with address, amount and chain', async ({ page }) => {
    const widget = await openEther(page, '/')
    await widget.choose.click()
    const to = await widget.read(en.address)
    const amount = await widget.read(en.amount)
    const link = widget.root.getByRole('link', { name: 'Trust Wallet' })
    await expect(link).toHaveAttribute('href', `trust://send?asset=c60&address=${to}&amount=${amount}`)
    await link.click()
    await expect(widget.root.getByText(en.nothingOpened)).toBeVisible()
    await expect(link).toBeVisible()
  })

  test('a test payment has none', async ({ page }) => {
    const widget = await openPage(page, '/')
    await widget.choose('Bitcoin')
    await expect(widget.root.getByRole('link', { name: en.openWallet })).toBeVisible()
    await expect(widget.root.getByRole('button', { name: en.walletChoose })).toBeHidden()
  })
})
