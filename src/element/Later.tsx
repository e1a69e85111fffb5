/**
 * The script and the element have everything in their one file.
 */
export { CopyDetails, Hints, LaterScreen } from '../react/laterParts.tsx'
