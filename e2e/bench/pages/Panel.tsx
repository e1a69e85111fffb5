/** The same panel, bare, as one would write it with a framework and a library for codes. */
import { QRCodeSVG } from 'qrcode.react'
import { useEffect, useState } from 'react'
import { clockText, type Order, statusOf, uriOf } from './order.ts'

export function Panel({ shown }: { shown: Order }) {
  const [endMs] = useState(() => performance.now() + shown.expiresInMs)
  const [clock, setClock] = useState('20:00')
  const [status, setStatus] = useState('open')
  useEffect(() => {
    const ticks = setInterval(() => setClock(clockText(endMs)), 1000)
    const polls = setInterval(() => void statusOf(shown.id).then(setStatus), 5000)
    return () => {
      clearInterval(ticks)
      clearInterval(polls)
    }
  }, [shown, endMs])
  return (
    <div className="w">
      <h2>{shown.amount} BTC</h2>
      <div>on Bitcoin</div>
      <div className="t" role="timer">
        {clock}
      </div>
      <div className="q">
        <QRCodeSVG value={uriOf(shown)} level="M" marginSize={4} />
      </div>
      <div className="a">{shown.address}</div>
      <button type="button" onClick={() => navigator.clipboard.writeText(shown.address)}>
        Copy address
      </button>
      <p role="status">{status === 'open' ? 'Waiting for payment' : status}</p>
    </div>
  )
}
