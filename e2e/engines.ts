/** What runs in Firefox beside Chromium, and which tests its driver cannot do. */

/** The specs that are meant to pass in Firefox. */
export const firefoxSpecs = [
  'clipboard.spec.ts',
  'connection.spec.ts',
  'drawn.spec.ts',
  'handover.spec.ts',
  'keyboard.spec.ts',
  'leaving.spec.ts',
  'pay-page.spec.ts',
  'paying.spec.ts',
  'time.spec.ts',
  'widths.spec.ts',
]

/** Titles of tests that Firefox's driver cannot do, with the reason. */
const beyondFirefox: readonly [title: RegExp, reason: string][] = [
  [/the same is copied the older way/, 'the clipboard can be read only right after a press'],
  [/the time that a creation took counts/, 'the driver passes on intercepted requests without their body'],
  [/the back button leads back/, 'on the way back the driver can wait for a load for ever'],
  [/the panel says everything, in the language/, 'the driver leaves scripts on'],
  [/frozen for an hour/, 'the driver cannot freeze a page'],
]

/** Why tests without scripts are not for Firefox's project. */
export const scriptsStayOn =
  'Firefox: the driver leaves scripts on, and without-scripts.spec.ts turns them off in the browser'

/** Why a browser's driver cannot do a test; undefined if it can. */
export function whyNot(browser: string, title: string): string | undefined {
  if (browser !== 'firefox') return undefined
  const reason = beyondFirefox.find(([pattern]) => pattern.test(title))?.[1]
  return reason && `Firefox: ${reason}`
}
