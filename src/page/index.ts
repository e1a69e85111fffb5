/** Draws the widget on a server. A file of its own, which the merchant server loads when it draws. */
export { drawCode } from './code.tsx'
export { drawElement } from './element.tsx'
export { drawPage, type PageDrawing } from './pay-page.ts'
