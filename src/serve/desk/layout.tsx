/** @jsxImportSource preact */
/** What every page of the desk has around what it shows, and how it is sent. */
import { createHash } from 'node:crypto'
import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Answer } from '../../server/http/exchange.ts'
import { styles } from './styles.ts'

/** Around a page. */
export interface Around {
  /** The shop's name for people. */
  readonly shop: string
  /** The path of the desk. */
  readonly base: string
  readonly isTest: boolean
  /** Of forms of this session; undefined where nobody has signed in. */
  readonly token?: string | undefined
}

/** What a page says of the press before it. */
export interface Said {
  readonly tone: 'good' | 'bad'
  readonly words: string
}

interface Page extends Around {
  readonly title: string
  /** The part of the desk. */
  readonly at?: 'payments' | 'health'
  readonly said?: Said | undefined
  readonly children: ComponentChildren
}

/** Nothing but the text and these styles: no scripts, no pictures, no frames. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** Of every answer of the desk. */
export const headers = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // With `no-referrer`, browsers would not say that a form is from here. A page says it once more, because
  // a proxy may add that header.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const

/** Sends a page. */
export function pageAnswer(page: VNode, status = 200, more: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8', ...more },
    body: `<!doctype html>${renderToString(page)}`,
  }
}

/** Sends a browser that has pressed something to a page of this site. */
export function seeOther(location: string, cookies: readonly string[] = []): Answer {
  return { status: 303, headers: { ...headers, location }, body: null, cookies }
}

/** A whole page. */
export function Page({ shop, base, isTest, token, title, at, said, children }: Page): VNode {
  const here = (name: Page['at']) => (at === name ? ({ 'aria-current': 'page' } as const) : {})
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="same-origin" />
        <title>{`${title} · ${shop}`}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, named by its hash in the policy. */}
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header class="bar">
          <div>
            <b>{shop}</b>
            {token === undefined ? null : (
              <>
                <nav aria-label="Desk">
                  <a href={base} {...here('payments')}>
                    Payments
                  </a>
                  <a href={`${base}/health`} {...here('health')}>
                    Health
                  </a>
                </nav>
                <form method="post" action={base}>
                  <input type="hidden" name="token" value={token} />
                  <button class="plain" type="submit" name="act" value="sign-out">
                    Sign out
                  </button>
                </form>
              </>
            )}
          </div>
          {isTest ? <p class="test">Test mode: no real money</p> : null}
        </header>
        <main id="main" tabIndex={-1}>
          {said ? (
            <div class="said" data-tone={said.tone} role={said.tone === 'bad' ? 'alert' : 'status'}>
              {said.words}
            </div>
          ) : null}
          {children}
        </main>
      </body>
    </html>
  )
}

/** A form that does something to one checkout. */
export function Act({
  token,
  act,
  id,
  children,
}: {
  readonly token: string
  readonly act: string
  readonly id: string
  readonly children: ComponentChildren
}): VNode {
  return (
    <form method="post" class="stack">
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="id" value={id} />
      {children}
    </form>
  )
}

/** The page to sign in at. @param action - Where whoever signs in goes on. */
export function SignIn({
  action,
  said,
  ...around
}: Around & { readonly action: string; readonly said?: Said | undefined }): VNode {
  return (
    <Page {...around} title="Sign in">
      <form class="card sign stack" method="post" action={action}>
        <h1>Sign in</h1>
        {said ? (
          <div class="said" data-tone={said.tone} role="alert" id="said">
            {said.words}
          </div>
        ) : null}
        {/* For password managers, which keep a name with each password. */}
        <input type="hidden" name="name" autoComplete="username" value={around.shop} />
        <label>
          Password
          <input type="password" name="password" autoComplete="current-password" required />
        </label>
        <button type="submit" name="act" value="sign-in">
          Sign in
        </button>
      </form>
    </Page>
  )
}

const dayAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** A time of UTC. */
export function Time({ at }: { readonly at: string }): VNode {
  return (
    <time class="num" dateTime={at}>
      {dayAndTime.format(new Date(at))}
    </time>
  )
}
