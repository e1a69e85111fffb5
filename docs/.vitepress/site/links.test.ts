import { expect, it } from 'vitest'
import { withLinksOfPages } from './links.ts'

const pages = new Map([
  ['README.md', 'guide.md'],
  ['docs/start/README.md', 'start/index.md'],
  ['docs/start/next.md', 'start/next.md'],
  ['docs/production.md', 'production.md'],
])

it.each([
  ['README.md', 'see [production](docs/production.md#secrets)', 'see [production](./production.md#secrets)'],
  ['docs/start/next.md', '[options](../../README.md#options)', '[options](../guide.md#options)'],
  ['docs/production.md', '[quick starts](start/README.md)', '[quick starts](./start/index.md)'],
  ['docs/production.md', '[quick starts](start)', '[quick starts](./start/index.md)'],
  ['README.md', '![widget](docs/images/widget.png)', '![widget](./images/widget.png)'],
  ['docs/start/next.md', '[the same](../../examples/next)', 'the same'],
  [
    'docs/production.md',
    '[“Paid”](../src/gallery/states.ts#paid&folds=open)',
    '[“Paid”](./gallery/index.html?only=paid&folds=open){target="_self"}',
  ],
  [
    'docs/production.md',
    '[there](https://shop.example/a.md) [here](#secrets)',
    '[there](https://shop.example/a.md) [here](#secrets)',
  ],
  ['README.md', '```\n[a](docs/production.md)\n```', '```\n[a](docs/production.md)\n```'],
])('in %s, %j becomes %j', (source, markdown, page) => {
  expect(withLinksOfPages(markdown, source, pages)).toBe(page)
})
