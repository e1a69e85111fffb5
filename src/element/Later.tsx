/**
 * The script and the element have everything in their one file.
 */
export { bringIntoView, CopyDetails, Hints, LaterScreen } from '../react/laterParts.tsx'
