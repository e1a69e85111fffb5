/**
 * How long ago the status was last known. Not in a live region: readers are not told every second.
 */
import { useEffect, useState } from 'react'
import { writtenAgo } from '../../locales/written.ts'
import type { PaywindowActions } from '../../session/state.ts'
import { useSetting } from '../setting.ts'
import { Say } from './Say.tsx'
import { useIdle } from './use-idle.ts'

/** Props of `Ago`. */
export type AgoProps = Pick<PaywindowActions, 'checkedAtMs'>

/** When the status was last known, counted in seconds. */
export function Ago({ checkedAtMs }: AgoProps) {
  const { texts, locale, isDrawn } = useSetting()
  const [nowMs, setNowMs] = useState(isDrawn ? checkedAtMs : Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  // Until then em spaces, which are as wide: the links beside the time do not move.
  const room = '\u2003\u2003\u2003\u2003\u2003\u2003'
  return (
    <Say text={texts.footChecked} values={{ time: useIdle() ? writtenAgo(nowMs - checkedAtMs(), locale) : room }} />
  )
}
