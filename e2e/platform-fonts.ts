/** The fonts that the browser really draws with, whatever the page asks for. */
import type { Page } from '@playwright/test'

interface PlatformFont {
  readonly familyName: string
  readonly postScriptName: string
}

/** Returns the fonts of the first element that matches, the font of most characters first. */
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

/** Returns the PostScript name of the font that draws most of an element. */
export async function fontOf(page: Page, selector: string): Promise<string> {
  const [font] = await platformFonts(page, selector)
  if (!font) throw new Error(`No text in ${selector}`)
  return font.postScriptName
}
