/**
 * Payment codes, read by parsers of others that wallets use. SEP-7, `ton://` and `monero:` are read
 * with `URL` and `URLSearchParams`, of which most of their parsers are made, and compared with
 * their specifications (docs/decisions/amounts.md).
 */
import { parseURL } from '@solana/pay'
import { decode } from 'bip21'
import { parse } from 'eth-url-parser'
import { expect } from 'vitest'
import { StringDecoder, StringTypeDetector } from 'xumm-string-decode'

/** The fields that a parser finds. The amount is the parameter's text, or null without one. */
export interface ScannedPayment {
  readonly address: string
  readonly amount: string | null
  readonly tag: string | null
}

/** `bip21` turns the amount into a double, which rounds amounts of 2^52 units or more. */
export function readBip21(scheme: string, text: string): ScannedPayment {
  const { address, options } = decode(text, scheme)
  const amount = new URLSearchParams(text.split('?')[1]).get('amount')
  expect(options).toEqual({ amount: Number(amount) })
  const units = Number(amount) * 1e8
  if (units < 2 ** 52)
    expect(
      Number(amount)
        .toFixed(8)
        .replace(/\.?0+$/, ''),
    ).toBe(amount)
  return { address, amount, tag: null }
}

/** `eth-url-parser` keeps every digit, but writes 22 of them and more with an exponent. */
export function readErc681(text: string): ScannedPayment {
  const { target_address: address, chain_id, function_name, parameters } = parse(text)
  expect([chain_id, function_name, Object.keys(parameters ?? {})]).toEqual(['1', undefined, ['value']])
  const [digits = '', exponent = '0'] = parameters?.value?.split('e+') ?? []
  const [first = '', rest = ''] = digits.split('.')
  return { address, amount: first + rest.padEnd(Number(exponent), '0'), tag: null }
}

/** @see https://github.com/XRPL-Labs/xumm-string-decode: what the Xaman wallet scans with. */
export function readXrp(type: string, text: string): { readonly to?: string; readonly tag?: number } {
  const detected = new StringTypeDetector(text)
  expect(detected.getTypeName()).toBe(type)
  return new StringDecoder(detected).getAny()
}

/** @see https://stellar.org/protocol/sep-7: MEMO_ID has 64 bits, MEMO_TEXT 28 bytes at most. */
export function readSep7(text: string): ScannedPayment {
  const { url, values } = readUrl('web+stellar:', ['destination', 'amount', 'memo', 'memo_type'], text)
  const [address = '', amount = '', memo = '', type] = values
  expect(url.pathname).toBe('pay')
  expect(type).toBe(/^(?:0|[1-9]\d*)$/.test(memo) && BigInt(memo) < 2n ** 64n ? 'MEMO_ID' : 'MEMO_TEXT')
  if (type === 'MEMO_TEXT') expect(new TextEncoder().encode(memo).length).toBeLessThanOrEqual(28)
  return { address, amount, tag: memo }
}

/** `@solana/pay` turns the amount into a double, so its digits are compared as text, too. */
export function readSolanaPay(text: string): ScannedPayment {
  const { values } = readUrl('solana:', ['amount'], text)
  const parsed = parseURL(text)
  if (!('recipient' in parsed)) throw new Error('This asks for a transaction and not for a transfer')
  expect(parsed).toMatchObject({ amount: Number(values[0]), splToken: undefined, memo: undefined })
  return { address: parsed.recipient, amount: values[0] ?? null, tag: null }
}

/** Parameters by name, each there once and none beside them. */
export function readUrl(scheme: string, names: readonly string[], text: string) {
  const url = new URL(text)
  expect(url.protocol).toBe(scheme)
  expect([...url.searchParams.keys()].sort()).toEqual([...names].sort())
  return { url, values: names.map((name) => url.searchParams.get(name) ?? '') }
}
