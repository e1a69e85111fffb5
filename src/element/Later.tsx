/**
 * Replaces src/react/Later.tsx in the element, which has everything in a single file, as a server
 * has that draws it.
 */
export {
  Ago,
  Attention,
  bringIntoView,
  CopyDetails,
  Growth,
  Hints,
  LaterScreen,
  PressNote,
  Wallets,
  Withdrawal,
} from '../react/later-parts.tsx'

/** Everything is there. */
export async function loadLater(): Promise<void> {}
