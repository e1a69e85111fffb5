import { describe, expect, it } from 'vitest'
import { handedOver, handoverLink } from './handover.ts'

describe('the link to another device', () => {
  it('carries the checkout and the token in the fragment, and nothing of them elsewhere', () => {
    const link = new URL(handoverLink(new URL('https://shop.example/pay?lang=de#old'), { id: 'a1', token: 'T-_0' }))
    expect(link.hash).toBe('#paywindow=a1.T-_0')
    expect(link.href.replace(link.hash, '')).toBe('https://shop.example/pay?lang=de')
    expect(handedOver(link.hash)).toEqual({ id: 'a1', token: 'T-_0' })
  })

  it.each([
    '',
    '#',
    '#top',
    '#paywindow=',
    '#paywindow=a1',
    '#paywindow=a1.',
    '#paywindow=a/1.t',
    '#paywindow=a.b.c',
    '#paywindow=a.b&endpoint=//evil.example',
  ])('is not read from %j', (hash) => expect(handedOver(hash)).toBeNull())
})
