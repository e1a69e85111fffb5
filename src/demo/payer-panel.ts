/** The panel beside the widget when the sandbox plays the service: what a payer, the service and the clock would do. */
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

/** The panel in which a visitor of the demo plays payer and service. */
export function payerPanel(): Html {
  return html`
      <section class="payer" aria-labelledby="payer-title">
        <h2 id="payer-title">Simulated payer</h2>
        <p>The sandbox plays the exchange service. No money moves.</p>${groups.map(
          ([title, names]) => html`
        <h3>${title}</h3>
        <div class="deeds">${names.map(
          (name) => html`
          <button type="button" data-simulate="${name}">${simulations[name]}</button>`,
        )}
        </div>`,
        )}
        <p class="outcome" role="status"></p>
      </section>`
}
