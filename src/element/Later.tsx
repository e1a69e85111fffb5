/**
 * The script and the element have everything in their one file.
 */
export { Attention, bringIntoView, CopyDetails, Hints, LaterScreen, PressNote } from '../react/later-parts.tsx'
