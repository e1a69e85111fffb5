import { describe, expect, it } from 'vitest'
import { handedOver } from './handover.ts'
import { handoverLink } from './handover-link.ts'

describe('the link to another device', () => {
  it('carries the checkout and the token in the fragment, and nothing of them elsewhere', () => {
    const link = new URL(handoverLink(new URL('https://shop.example/pay?lang=de'), { id: 'a1', token: 'T-_0' }))
    expect(link.hash).toBe('#paywindow=a1.T-_0')
    expect(link.href.replace(link.hash, '')).toBe('https://shop.example/pay?lang=de')
    expect(handedOver(link.hash)).toEqual({ id: 'a1', token: 'T-_0' })
  })

  it.each([
    ['#/pay', '#/pay?'],
    ['#!/pay', '#!/pay?'],
    ['#pay', '#pay?'],
    ['#/pay?lang=de', '#/pay?lang=de&'],
  ])('leaves the route %s to a router that has it in the fragment', (route, kept) => {
    const { hash } = new URL(handoverLink(new URL(`https://shop.example/${route}`), { id: 'a1', token: 'T-_0' }))
    expect(hash).toBe(`${kept}paywindow=a1.T-_0`)
    expect(handedOver(hash)).toEqual({ id: 'a1', token: 'T-_0' })
  })

  it.each([
    '',
    '#',
    '#top',
    '#/pay',
    '#/xpaywindow=a.b',
    '#paywindow=',
    '#paywindow=a1',
    '#paywindow=a1.',
    '#paywindow=a/1.t',
    '#paywindow=a.b.c',
    '#paywindow=a.b&endpoint=//evil.example',
  ])('is not read from %j', (hash) => expect(handedOver(hash)).toBeNull())
})
