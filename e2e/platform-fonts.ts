/** What the browser draws with, whatever the page asks for. */
import type { Page } from '@playwright/test'

interface PlatformFont {
  readonly familyName: string
  readonly postScriptName: string
}

/** The fonts of the first element of a selector's, the one of most of its characters first. */
export async function platformFonts(page: Page, selector: string): Promise<readonly PlatformFont[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
  await session.detach()
  return fonts.toSorted((one, other) => other.glyphCount - one.glyphCount)
}

/** PostScript name of the one that draws most of an element. */
export async function fontOf(page: Page, selector: string): Promise<string> {
  const [font] = await platformFonts(page, selector)
  if (!font) throw new Error(`No text in ${selector}`)
  return font.postScriptName
}
