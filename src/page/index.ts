/**
 * Draws the widget on a server. A file of its own, which the merchant server loads when it draws.
 */
export { drawQuestion, drawSale } from './asking.tsx'
export { drawCode } from './code.tsx'
export { drawElement } from './element.tsx'
export { drawPage, type PageDrawing } from './pay-page.ts'
