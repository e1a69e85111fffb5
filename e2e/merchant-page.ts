/** Pages of merchants in place of the shop's own, with its policy where it fits such pages. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

/** What a page changes in the shop's content security policy. Null removes a directive. */
type Policy = Readonly<Record<string, string | null>>

interface MerchantPage {
  readonly head?: string
  readonly body: string
  readonly policy?: Policy
}

/** The element for the order of a visitor, in Bitcoin, so that it asks for money at once. */
export const payElement =
  '<pay-window endpoint="/paywindow" reference="order-1042" asset="BTC" network="bitcoin"></pay-window>'

/** Serves a page at `url`, a path or an absolute URL, to a visitor of its host who has an order. */
export async function servePage(
  page: Page,
  url: string,
  { head = '', body, policy = {} }: MerchantPage,
): Promise<void> {
  const shop = await page.request.get(url.startsWith('/') ? '/order' : new URL('/order', url).href)
  const { 'content-security-policy': shopPolicy = '' } = shop.headers()
  await page.route(url, (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': changed(shopPolicy, policy) },
      body: `<!doctype html><html lang="en"><head><title>Pay</title>${head}</head><body>${body}</body></html>`,
    }),
  )
}

/** Serves the built package under `/npm/paywindow/`. @returns Files that were asked for so far. */
export async function servePackage(page: Page): Promise<string[]> {
  const served: string[] = []
  await page.route('/npm/paywindow/**', async (route) => {
    const file = new URL(route.request().url()).pathname.replace('/npm/paywindow/', '')
    served.push(file)
    await route.fulfill({
      contentType: 'text/javascript',
      body: readFileSync(new URL(`../dist/${file}`, import.meta.url), 'utf8'),
    })
  })
  return served
}

function changed(policy: string, changes: Policy): string {
  const directives = new Map<string, string | null>(
    policy.split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ')
      return [name, values.join(' ')]
    }),
  )
  for (const [name, value] of Object.entries(changes)) directives.set(name, value)
  return [...directives].flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`])).join('; ')
}
