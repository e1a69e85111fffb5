/** What a reader sees at an address that has no page. */
import { withBase } from 'vitepress'
import { h, type VNode } from 'vue'

/** In place of the default theme's, which has no main landmark. */
export function notFound(): VNode {
  return h('main', { class: 'vp-doc not-found' }, [
    h('h1', 'No page here'),
    h('p', 'It may have moved, or the link is wrong.'),
    h('p', [h('a', { href: withBase('/') }, 'To the start'), ', or search for what you need at the top of this page.']),
  ])
}
