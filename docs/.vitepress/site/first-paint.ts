/** Lets a built site draw its pages before it loads anything else: their styles are in them, and their scripts begin after the first frame. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @param base - What the addresses of the site begin with. */
export function paintFirst(site: string, base: string): void {
  compileEarly(site)
  const styles = new Map<string, string>()
  const stylesAt = (path: string) => {
    const text = styles.get(path) ?? readFileSync(join(site, path), 'utf8')
    styles.set(path, text)
    return text
  }
  for (const page of globSync('**/*.html', { cwd: site }).map((path) => join(site, path))) {
    const html = readFileSync(page, 'utf8')
    const inlined = html.replace(
      /<link rel="preload stylesheet" href="([^"]+)" as="style">/g,
      (_, href: string) => `<style>${stylesAt(href.slice(base.length))}</style>`,
    )
    const later = withScriptsLater(inlined)
    if (later !== html) writeFileSync(page, later)
  }
}

/** Lets browsers compile what every page starts while it loads, off the main thread, and not piece by piece while it runs. */
function compileEarly(site: string): void {
  for (const path of globSync('assets/{app,chunks/framework,chunks/theme}.*.js', { cwd: site })) {
    const file = join(site, path)
    writeFileSync(file, `//# allFunctionsCalledOnLoad\n${readFileSync(file, 'utf8')}`)
  }
}

/** Modules of VitePress's own, of which the last one imports the others, are asked for together. Elsewhere nothing is changed. */
function withScriptsLater(html: string): string {
  const [start, app] =
    html.match(/<script type="module" src="([^"]+)"><\/script>(?=[\s\S]*<link rel="modulepreload")/) ?? []
  if (start === undefined) return html
  const preloads = [...html.matchAll(/<link rel="modulepreload" href="([^"]+)">\s*/g)]
  const modules = [...preloads.map(([, href]) => href), app]
  const script = `for (const module of ${JSON.stringify(modules)}) import(module)`
  return [start, ...preloads.map(([link]) => link)]
    .reduce((rest, link) => rest.replace(link, ''), html)
    .replace('</body>', `<script>requestAnimationFrame(() => setTimeout(() => { ${script} }))</script></body>`)
}
