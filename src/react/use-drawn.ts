/** What follows at once when something is drawn, before the payer can press or scroll. */
import { useEffect, useLayoutEffect } from 'react'

/** `useLayoutEffect`, of which React 18 warns on a server. */
export const useDrawn = typeof document === 'undefined' ? useEffect : useLayoutEffect
