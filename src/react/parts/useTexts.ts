/**
 * All texts, for what is not on the panel when it is first drawn.
 */
import { useMemo } from 'react'
import type { Texts } from '../../locales/en.ts'
import { enLater } from '../../locales/enLater.ts'
import { useSetting } from '../setting.ts'

export function useTexts(): Texts {
  const { texts } = useSetting()
  return useMemo(() => ({ ...enLater, ...texts }), [texts])
}
