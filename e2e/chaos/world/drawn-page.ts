/** What a browser without scripts shows of a page that a server has drawn. */

/** A page as its reader sees and uses it. */
export interface DrawnPage {
  /** Name of the screen; undefined for a page that is not ours, or arrived in part or twice. */
  readonly view: string | undefined
  /** What is asked for, as it can be copied. */
  readonly amount: string | undefined
  readonly asset: string | undefined
  readonly network: string | undefined
  readonly address: string | undefined
  readonly tag: string | null
  /** When the payment has to arrive, as written. */
  readonly endsAtMs: number | undefined
  /** How long after it was loaded the styles hide what is asked for; infinite where they do not. */
  readonly visibleForMs: number
  /** After so many seconds the browser loads it anew. */
  readonly refreshS: number | undefined
  /** What its buttons send as `act`. */
  readonly acts: readonly string[]
  /** What its form sends beside that, and where to. */
  readonly id: string
  readonly action: string
  /** What it has for a script that takes it over: JSON, or undefined. */
  readonly initial: unknown
}

/** Reads the HTML of a page. */
export function readDrawnPage(html: string): DrawnPage {
  const first = (pattern: RegExp) => textOf(pattern.exec(html)?.[1])
  const isWhole = html.endsWith('</html>\n') && html.lastIndexOf('<!doctype html>') === 0
  const fields = [
    ...html.matchAll(/ class="pw-field" part="field"( data-tone="must")?.*?<bdi class="pw-exact"[^>]*>(.*?)<\/bdi>/g),
  ]
  const fieldOf = (isTag: boolean) => textOf(fields.find(([, tone]) => (tone !== undefined) === isTag)?.[2])
  const endsAt = first(/<time datetime="([^"]*)" class="pw-utc"/)
  const refresh = first(/http-equiv="refresh" content="(\d+)"/)
  const json = /<script type="application\/json"[^>]*>(.*?)<\/script>/.exec(html)?.[1]
  return {
    view: isWhole ? first(/<section class="pw"[^>]* data-view="([^"]*)"/) : undefined,
    amount: first(/<bdi class="pw-number"[^>]*>(.*?)<\/bdi>/),
    asset: first(/<span class="pw-unit">(.*?)<\/span>/),
    network: first(/<p class="pw-chip"[^>]*>.*?<b translate="no">(.*?)<\/b>/),
    address: fieldOf(false),
    tag: fieldOf(true) ?? null,
    endsAtMs: endsAt === undefined ? undefined : Date.parse(endsAt),
    visibleForMs: Number(/animation:pw-hide 1ms (\d+)ms forwards/.exec(html)?.[1] ?? Number.POSITIVE_INFINITY),
    refreshS: refresh === undefined ? undefined : Number(refresh),
    acts: [...html.matchAll(/form="pw-act" name="act" value="([^"]*)"/g)].flatMap(([, value]) => textOf(value) ?? []),
    id: first(/<form id="pw-act".*?name="id" value="([^"]*)"/) ?? '',
    action: first(/<form id="pw-act" method="post" action="([^"]*)"/) ?? '',
    initial: isWhole && json !== undefined ? JSON.parse(json) : undefined,
  }
}

/** Text without its elements. */
function textOf(html: string | undefined): string | undefined {
  return html
    ?.replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
