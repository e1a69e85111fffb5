// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { de } from '../locales/de.ts'

const files = vi.fn<(url: URL) => Promise<Response>>()

/** The module keeps what it has loaded; every test begins with nothing. */
async function fresh(withFolder = true, ...others: readonly URL[]) {
  vi.resetModules()
  const language = await import('./language.ts')
  if (withFolder) language.setLanguageFolders([new URL('https://shop.example/assets/locales/'), ...others])
  return language
}

beforeEach(() => {
  vi.useFakeTimers()
  files.mockReset()
  files.mockImplementation(async () => Response.json({ ...de, copy: 5 }))
  vi.stubGlobal('fetch', files)
})

describe('the language of an element', () => {
  it('is there at once where nothing has to be loaded', async () => {
    const { speechFor } = await fresh()
    const later = vi.fn()
    expect(speechFor('en-GB', later)).toEqual({ locale: 'en-GB', texts: {} })
    expect(speechFor('sv', later)).toEqual({ locale: 'en', texts: {} })
    expect(files).not.toHaveBeenCalled()
  })

  it('is English where nobody said where the files are', async () => {
    const { speechFor } = await fresh(false)
    const say = vi.spyOn(console, 'error').mockReturnValue()
    expect(speechFor('de', vi.fn(), true)).toEqual({ locale: 'en', texts: {} })
    expect(speechFor('xx', vi.fn())).toEqual({ locale: 'en', texts: {} })
    expect(say).not.toHaveBeenCalled()
    expect(speechFor('de', vi.fn())).toEqual({ locale: 'en', texts: {} })
    expect(say.mock.calls).toEqual([['Paywindow', 'stays English: texts for de are not set']])
  })

  it('is loaded once for all elements, and takes over texts only', async () => {
    const { speechFor } = await fresh()
    const later = vi.fn()
    expect(speechFor('de-CH', later)).toBeNull()
    expect(speechFor('de', later)).toBeNull()
    await vi.waitFor(() => expect(later).toHaveBeenCalledTimes(2))
    expect(files.mock.calls.map(([url]) => url.href)).toEqual(['https://shop.example/assets/locales/de.json'])
    const { copy: _, ...rest } = de
    expect(later.mock.calls[0]).toEqual([{ locale: 'de-CH', texts: rest }])
  })

  it.each([
    [
      'is missing',
      async () => new Response('no', { status: 404 }),
      [['stays English: Error: https://shop.example/assets/locales/de.json has no language, but status 404']],
    ],
    ['is no JSON', async () => new Response('<!doctype html>'), [['de.json has no language, but status 200']]],
    ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch')), []],
  ])('is English when its file %s, and asked for again by the next element', async (_, answer, complaints) => {
    const { speechFor } = await fresh()
    const say = vi.spyOn(console, 'error').mockReturnValue()
    files.mockImplementationOnce(answer)
    const later = vi.fn()
    speechFor('de', later)
    await vi.waitFor(() => expect(later).toHaveBeenCalledWith({ locale: 'en', texts: {} }))
    expect(say.mock.calls).toEqual(complaints.map(([words]) => ['Paywindow', expect.stringContaining(`${words}`)]))
    speechFor('de', later)
    await vi.waitFor(() => expect(later.mock.lastCall?.[0].locale).toBe('de'))
  })

  it('is in the next folder where the first has none, as beside a script that was joined with others', async () => {
    const { speechFor } = await fresh(true, new URL('https://shop.example/locales/'))
    files.mockImplementationOnce(async () => new Response('no', { status: 404 }))
    const later = vi.fn()
    speechFor('de', later)
    await vi.waitFor(() => expect(later.mock.lastCall?.[0].locale).toBe('de'))
    expect(files.mock.lastCall?.[0].href).toBe('https://shop.example/locales/de.json')
  })

  it('is English after two seconds, and itself when it comes', async () => {
    const { speechFor } = await fresh()
    const file = Promise.withResolvers<Response>()
    files.mockReturnValueOnce(file.promise)
    const later = vi.fn()
    speechFor('de', later)
    vi.advanceTimersByTime(1_999)
    expect(later).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(later.mock.lastCall?.[0].locale).toBe('en')
    file.resolve(Response.json(de))
    await vi.waitFor(() => expect(later.mock.lastCall?.[0].locale).toBe('de'))
  })

  it('is that of the nearest ancestor, then of the page', async () => {
    const { localeAround } = await fresh()
    document.documentElement.lang = 'fr'
    document.body.innerHTML = '<main lang="pt"><p></p></main><aside></aside>'
    const around = (name: string) => localeAround(document.querySelector(name) ?? document.body)
    expect([around('p'), around('aside')]).toEqual(['pt', 'fr'])
    document.documentElement.lang = ''
    expect(around('aside')).toBe(navigator.language)
  })
})
