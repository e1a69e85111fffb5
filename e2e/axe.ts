/** Accessibility rules that a machine can check, on the page as it stands. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

export function expectNoFindings(page: Page): Promise<void> {
  return expectNone(new AxeBuilder({ page }))
}

/** The same for a page with many widgets side by side, which all have one name. */
export function expectNoFindingsInAny(page: Page): Promise<void> {
  return expectNone(new AxeBuilder({ page }).disableRules('landmark-unique'))
}

async function expectNone(axe: AxeBuilder): Promise<void> {
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target) }))).toEqual([])
}
