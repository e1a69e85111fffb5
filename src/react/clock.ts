/**
 * The browser's two clocks.
 */
import type { Clock } from '../checkout/deadline.ts'

export const browserClock: Clock = () => ({ monotonicMs: performance.now(), wallMs: Date.now() })
