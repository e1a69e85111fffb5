/**
 * The bar below the widget when the sandbox plays the service: what a payer, the service and the
 * clock would do.
 */
import { type Html, html } from './html.ts'

/** What can be simulated, with the text of its button. */
export const simulations = {
  exact: 'Deposit the exact amount',
  less: 'Deposit less',
  'top-up': 'Top up the rest',
  more: 'Deposit more',
  'wrong-asset': 'Deposit another asset',
  late: 'Deposit on the old quote',
  confirm: 'Confirm the deposit',
  refund: 'Complete the refund',
  cancel: 'Cancel the order',
  expire: 'Let the quote run out',
} as const

/** The name of something that a visitor can simulate. */
export type Simulation = keyof typeof simulations

const groups: readonly [title: string, simulations: readonly Simulation[]][] = [
  ['The payer', ['exact', 'less', 'top-up', 'more', 'wrong-asset', 'late']],
  ['The service', ['confirm', 'refund', 'cancel']],
  ['The clock', ['expire']],
]

/** Whether a text names something that can be simulated. */
export function isSimulation(text: string): text is Simulation {
  return Object.hasOwn(simulations, text)
}

/** What mostly comes next, after what has happened. Null: the story is over. */
export const following: Readonly<Record<Simulation, Simulation | null>> = {
  exact: 'confirm',
  less: 'top-up',
  'top-up': 'confirm',
  more: 'confirm',
  'wrong-asset': 'refund',
  late: 'confirm',
  confirm: null,
  refund: null,
  cancel: 'exact',
  expire: 'late',
}

/**
 * The bar at the foot of the page, in which a visitor of the demo plays payer and service.
 *
 * @param next - What it offers first, if anything.
 */
export function payerPanel(next: Simulation | null): Html {
  return html`
      <section class="payer" aria-labelledby="payer-title">
        <div>
          <h2 id="payer-title">Play the payer</h2>
          <p class="outcome" role="status">No money moves: the sandbox plays the exchange service.</p>
        </div>
        ${deed(next ?? 'exact', html` class="next"${next === null && html` hidden`}`)}
        <details>
          <summary>More</summary>
          <div class="deeds">${groups.map(
            ([title, names]) => html`
            <h3>${title}</h3>${names.map((name) => deed(name))}`,
          )}
          </div>
        </details>
      </section>`
}

function deed(name: Simulation, attributes?: Html): Html {
  return html`
            <button type="button"${attributes} data-simulate="${name}">${simulations[name]}</button>`
}
