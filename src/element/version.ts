/** The version of the package, so that a second script on a page knows the first. `version.test.ts` holds it to package.json. */
export const version = '0.1.0'
