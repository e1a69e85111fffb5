/**
 * The icon of an asset, with the network's icon in the corner if that is a different one. It has
 * its size before anything is loaded, and waits for nothing: a letter is shown where there is no
 * icon.
 */
import { useState } from 'react'
import type { NetworkInfo } from '../../contract/checkout.ts'
import { showDeveloper } from '../../session/tell.ts'
import { useSetting } from '../setting.ts'

/** What is known of an asset's picture. */
export interface AssetIconProps {
  readonly symbol: string
  /** Path below the endpoint. */
  readonly icon?: string | undefined
  readonly networkInfo?: NetworkInfo | undefined
}

/** The icon of an asset with that of its network; a letter where there is none. */
export function AssetIcon({ symbol, icon, networkInfo }: AssetIconProps) {
  const badge = networkInfo?.icon
  return (
    <span className="pw-icon" aria-hidden="true">
      <span className="pw-letter">{symbol.slice(0, 1)}</span>
      <Picture path={icon} />
      {badge && badge !== icon ? (
        <span className="pw-badge">
          <Picture path={badge} />
        </span>
      ) : null}
    </span>
  )
}

/** The image at a path. Nothing if there is no path or the image does not load. */
function Picture({ path }: { path: string | undefined }) {
  const { endpoint } = useSetting()
  const [broken, setBroken] = useState('')
  const source = path && `${endpoint.replace(/\/+$/, '')}/${path}`
  if (!source || source === broken) return null
  const leaveOut = () => {
    setBroken(source)
    showDeveloper(window, `Icon ${source} was not loaded`)
  }
  return <img src={source} alt="" width="36" height="36" decoding="async" onError={leaveOut} />
}
