/** Checks, with axe, the rules of accessibility that a program can check. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Checks a page with one widget. */
export async function expectNoFindings(page: Page, withoutRules: string[] = []): Promise<void> {
  // Half the work: details only of violations, and no second tab for frames of other sites.
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .disableRules(withoutRules)
    .setLegacyMode()
    .analyze()
  expect(violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target) }))).toEqual([])
}

/** Checks a page with several widgets side by side, which all have the same name. */
export function expectNoFindingsInAny(page: Page): Promise<void> {
  return expectNoFindings(page, ['landmark-unique'])
}
