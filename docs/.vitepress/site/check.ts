/** Holds the links of a built site against its pages, their anchors included. VitePress itself looks only for pages. */
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Returns a line for every link that leads nowhere. @param base - What the addresses of the site begin with. */
export function checkSite(folder: string, base: string): readonly string[] {
  const files = new Set(globSync('**/*.*', { cwd: folder }).map((path) => path.replaceAll('\\', '/')))
  const htmlOf = new Map(
    [...files].filter((path) => path.endsWith('.html')).map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )
  const linksOf = new Map([...htmlOf].map(([page, html]) => [page, [...html.matchAll(/ (?:href|src)="([^"]+)"/g)]]))
  linksOf.set('llms.txt', [...readFileSync(join(folder, 'llms.txt'), 'utf8').matchAll(/\]\(([^)]+)\)/g)])
  return [...linksOf].flatMap(([page, links]) =>
    links
      .map(([, link = '']) => link.replaceAll('&amp;', '&'))
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter(
        (link) =>
          (link.startsWith('/') && !link.startsWith(base)) ||
          !leadsSomewhere(link.replace(base, '/'), page, files, htmlOf),
      )
      .map((link) => `${page}: ${link} leads nowhere`),
  )
}

function leadsSomewhere(
  link: string,
  page: string,
  files: ReadonlySet<string>,
  htmlOf: ReadonlyMap<string, string>,
): boolean {
  const [path = '', hash] = link.split('#')
  const [file = ''] = path.split('?')
  const absolute = file.startsWith('/') ? file.slice(1) : posix.join(posix.dirname(page), file)
  const target = file === '' ? page : absolute === '' || absolute.endsWith('/') ? `${absolute}index.html` : absolute
  if (!files.has(target)) return false
  return !hash || (htmlOf.get(target) ?? '').includes(`id="${decodeURIComponent(hash)}"`)
}
