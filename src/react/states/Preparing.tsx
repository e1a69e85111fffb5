/**
 * The placeholder for the payment panel while its checkout is requested.
 */
export function Preparing() {
  return (
    <div className="pw-pay" data-place="other" aria-hidden="true">
      <div className="pw-lead">
        <span className="pw-bone" data-size="amount" />
      </div>
      <div className="pw-qr">
        <span className="pw-bone" data-size="code" />
      </div>
      <div className="pw-fields">
        <span className="pw-bone" data-size="field" />
        <span className="pw-bone" data-size="field" />
      </div>
    </div>
  )
}
