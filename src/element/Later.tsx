/**
 * Replaces src/react/Later.tsx in the script and the element, each of which has everything in a single file.
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
