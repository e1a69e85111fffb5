/** The script as another version of it would be, for pages that have two. */
import packageJson from '../package.json' with { type: 'json' }

/** The version that `asOlder` writes. */
export const olderVersion = '0.0.9'

/** The code of the script, with another version. @throws Error when it names none. */
export function asOlder(code: string): string {
  const older = code.replaceAll(`version="${packageJson.version}"`, `version="${olderVersion}"`)
  if (older === code) throw new Error(`the script does not say that it is ${packageJson.version}`)
  return older
}

/** What the newer script says in the console of a page that has the older one already. */
export const olderIsUsed = `Paywindow ${olderVersion} is on this page already, so ${packageJson.version} is not used. Load one`
