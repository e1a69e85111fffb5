/** Beside the widget when the sandbox plays the service: what a payer, the network and the service would do. */
import { type Html, html } from './html.ts'

/** What can be simulated, in the order of the buttons. */
export const simulations = {
  exact: 'Deposit the exact amount',
  less: 'Deposit less',
  'top-up': 'Top up the rest',
  more: 'Deposit more',
  'wrong-asset': 'Deposit another asset',
  confirm: 'Confirm the deposit',
  expire: 'Let the quote run out',
  late: 'Deposit on the old quote',
  refund: 'Complete the refund',
  cancel: 'Cancel the order',
} as const

export type Simulation = keyof typeof simulations

/** Whether a text names something that can be simulated. */
export function isSimulation(text: string): text is Simulation {
  return Object.hasOwn(simulations, text)
}

export function payerPanel(): Html {
  return html`
        <section class="payer" aria-labelledby="payer-title">
          <h2 id="payer-title">Simulated payer</h2>
          <p>The sandbox plays the exchange service. No money moves.</p>
          <div class="deeds">${Object.entries(simulations).map(
            ([name, text]) => html`
            <button type="button" data-simulate="${name}">${text}</button>`,
          )}
          </div>
          <p class="outcome" role="status"></p>
        </section>`
}
