// @vitest-environment jsdom
import { render } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { hasAddress, openShop, pass } from './widget.testing.tsx'

const shop = openShop()

it('what a server has drawn stays on the page and becomes the panel', async () => {
  const complaints = vi.spyOn(console, 'error')
  const onRecoverableError = vi.fn()
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(shop.widget())
  const card = container.querySelector('.pw-card')
  expect(card?.querySelectorAll('.pw-bone').length).toBeGreaterThan(3)

  render(shop.widget(), { container, hydrate: true, onRecoverableError })
  expect(container.querySelector('.pw-card')).toBe(card)
  await pass(0)
  expect(hasAddress()).toBe(true)
  expect(container.querySelector('.pw-card')).toBe(card)
  expect(onRecoverableError).not.toHaveBeenCalled()
  expect(complaints).not.toHaveBeenCalled()
})

it("a server does not know the page's own English, and nobody is told of the difference", async () => {
  const complaints = vi.spyOn(console, 'error')
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(shop.widget())
  document.documentElement.lang = 'en-GB'
  render(shop.widget(), { container, hydrate: true })
  await pass(0)
  expect(hasAddress()).toBe(true)
  expect(complaints).not.toHaveBeenCalled()
  document.documentElement.lang = ''
})
