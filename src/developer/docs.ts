/**
 * Where words and codes are explained: an address, or a path in the package. scripts/advice.ts puts
 * it here.
 */
declare const PAYWINDOW_DOCS: string

/** The page *Troubleshooting*. */
export const docs = PAYWINDOW_DOCS
