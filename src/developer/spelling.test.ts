// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { misspelt, misspeltOptions, unknownTheme } from './spelling.ts'

const attributeNames = [
  'endpoint',
  'reference',
  'asset',
  'network',
  'locale',
  'theme',
  'handover-url',
  'support-url',
  'notify',
  'keep-title',
]

function said(html: string, isData = false): readonly string[] {
  document.body.innerHTML = html
  const [element] = document.body.children
  return element ? misspelt(element, attributeNames, isData) : []
}

describe('a misspelt attribute', () => {
  it.each([
    ['referance', 'reference'],
    ['refrence', 'reference'],
    ['end-point', 'endpoint'],
    ['handoverurl', 'handover-url'],
    ['tehme', 'theme'],
    ['keeptitle', 'keep-title'],
    ['netwerk', 'network'],
  ])('%s: is %s meant?', (written, meant) => {
    expect(said(`<pay-window ${written}="x"></pay-window>`)).toEqual([
      `The attribute ${written} is unknown. Is ${meant} meant?`,
    ])
    expect(said(`<script data-${written}="x"></script>`, true)).toEqual([
      `The attribute data-${written} is unknown. Is data-${meant} meant?`,
    ])
  })

  it('is none that is right, or means something else', () => {
    const right = attributeNames.map((name) => `${name}="x"`).join(' ')
    const others =
      'id="a" class="b" style="color: red" title="t" lang="de" dir="rtl" hidden slot="s" part="p" role="group" tabindex="0" name="n" ' +
      'data-v-7ba5bd90 data-testid="t" aria-label="a" _ngcontent-abc ng-version="1" inert nonce="n" is="x" ref="r" key="k" itemprop="i"'
    expect(said(`<pay-window ${right} ${others}></pay-window>`)).toEqual([])
    const data = attributeNames.map((name) => `data-${name}="x"`).join(' ')
    expect(
      said(
        `<script ${data} src="/paywindow.js" defer async type="module" data-cfasync="false" data-id="1"></script>`,
        true,
      ),
    ).toEqual([])
  })
})

it('an attribute of the script that lacks its data- is one, too', () => {
  expect(said('<script endpoint="/paywindow" reference="a" src="/paywindow.js" defer></script>', true)).toEqual([
    'The attribute endpoint is unknown. Is data-endpoint meant?',
    'The attribute reference is unknown. Is data-reference meant?',
  ])
})

describe('a misspelt option', () => {
  it.each([
    ['onConfimed', 'onConfirmed'],
    ['onconfirmed', 'onConfirmed'],
    ['theem', 'theme'],
    ['referense', 'reference'],
    ['handover-url', 'handoverUrl'],
  ])('%s is taken for %s', (written, meant) => {
    expect(misspeltOptions([written])).toEqual([`The option ${written} is unknown. Is ${meant} meant?`])
  })

  it('is not one that means something else', () => {
    expect(
      misspeltOptions(['onConfirmed', 'keepTitle', 'className', 'key', 'style', 'data-testid', 'onClick']),
    ).toEqual([])
  })
})

it('a theme that nobody knows is named, and no other', () => {
  expect(unknownTheme('drak')).toEqual(['The theme drak is unknown. There are light, dark and auto.'])
  expect(['light', 'dark', 'auto', null, undefined].flatMap(unknownTheme)).toEqual([])
})
