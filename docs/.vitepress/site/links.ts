/** Links between files of the repository, as links between pages of the site. */
import { posix } from 'node:path'

/** A link in Markdown outside of code: the text, and where it leads. */
const links = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g

/** Where the gallery's states are. A link to one of them, `#paid`, shows it on the site: outside of the site's own pages, and so not by its router. */
const galleryStates = 'src/gallery/states.ts'

/**
 * Changes the links of one file.
 *
 * @param source - Its path, relative to the root.
 * @param pages - Pages by the paths of their sources.
 * @param from - The page on which it stands. Default: its own.
 * @returns Its text, in which a link to a file that is no page is the bare text of the link.
 */
export function withLinksOfPages(
  markdown: string,
  source: string,
  pages: ReadonlyMap<string, string>,
  from = pages.get(source) ?? source,
): string {
  const change = (line: string) =>
    line.replace(links, (whole, picture: string, text: string, target: string) => {
      if (/^([a-z]+:|#)/.test(target)) return whole
      const [path = '', hash] = target.split('#')
      const found = posix.normalize(posix.join(posix.dirname(source), path)).replace(/\/$/, '')
      if (picture) return `![${text}](${relative(from, found.replace(/^docs\//, ''))})`
      if (found === galleryStates)
        return `[${text}](${relative(from, 'gallery/index.html')}?only=${hash}){target="_self"}`
      const page = pages.get(found) ?? pages.get(`${found}/README.md`)
      return page === undefined ? text : `[${text}](${relative(from, page)}${hash === undefined ? '' : `#${hash}`})`
    })
  return outsideOfCode(markdown, change)
}

function relative(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

function outsideOfCode(markdown: string, change: (line: string) => string): string {
  let isCode = false
  return markdown
    .split('\n')
    .map((line) => {
      const isFence = /^\s*```/.test(line)
      if (isFence) isCode = !isCode
      return isFence || isCode ? line : change(line)
    })
    .join('\n')
}
