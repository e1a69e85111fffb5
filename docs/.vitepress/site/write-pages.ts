/** Writes all pages of the site as Markdown, with what they show, into one folder, from which VitePress draws them. */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import sharp from 'sharp'
import { root } from '../../../scripts/paths.ts'
import { withLinksOfPages } from './links.ts'
import { listForModels } from './list-for-models.ts'
import { pageOfSource } from './map.ts'
import { referencePages } from './reference.ts'

/** Writes everything anew. */
export async function writePages(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const pages = pageOfSource()
  for (const [source, page] of pages)
    if (existsSync(join(root, source)))
      write(
        join(folder, page),
        withLinksOfPages(withTitle(readFileSync(join(root, source), 'utf8'), page), source, pages),
      )
  for (const [page, markdown] of Object.entries(referencePages(pages))) write(join(folder, page), markdown)
  cpSync(join(root, 'docs', 'images'), join(folder, 'images'), { recursive: true })
  cpSync(join(root, 'docs', '.vitepress', 'own'), folder, { recursive: true })
  copyBuilt(join(folder, 'public'))
  await writePictures(join(folder, 'public'))
}

/** The pictures of the first page. */
async function writePictures(to: string): Promise<void> {
  for (const name of ['first-light', 'first-dark', 'first-phone-light', 'first-phone-dark'])
    await sharp(join(root, 'docs', 'images', `${name}.png`))
      .webp()
      .toFile(join(to, `${name}.webp`))
}

/** The reports of public names all begin with the same heading, of the second level. */
function withTitle(markdown: string, page: string): string {
  return markdown.replace(/^## API Report File.*/, `# Public names of ${basename(page, '.md')}`)
}

/** Adds to a built site every page as Markdown, beside its HTML, and the list of them. @param folder - Of the pages. @param base - What its addresses begin with. */
export function addMarkdown(folder: string, site: string, base: string): void {
  for (const page of globSync('**/*.md', { cwd: folder, exclude: ['public'] }))
    write(join(site, page), readFileSync(join(folder, page), 'utf8'))
  writeFileSync(join(site, 'llms.txt'), listForModels(folder, base))
}

/** What runs in the pages: the frame of the playground with the script tag and its languages, and the gallery. */
function copyBuilt(to: string): void {
  const dist = join(root, 'dist')
  const frame = join(to, 'frame')
  cpSync(join(dist, 'demo', 'playground'), frame, { recursive: true })
  for (const script of ['paywindow.js', 'paywindow-later.js', 'paywindow-developer.js'])
    cpSync(join(dist, script), join(frame, script))
  cpSync(join(dist, 'locales'), join(frame, 'locales'), { recursive: true })
  const gallery = join(to, 'gallery')
  cpSync(join(dist, 'demo', 'gallery'), gallery, { recursive: true })
  const html = readFileSync(join(gallery, 'index.html'), 'utf8')
  // Modules run in the order in which they stand.
  const withCoins = html.replace('<script type="module"', '<script type="module" src="../frame/coins.js"></script>$&')
  writeFileSync(join(gallery, 'index.html'), withCoins)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
