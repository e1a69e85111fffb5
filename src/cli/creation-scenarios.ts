/** What can go wrong when an order is created. */
import type { CreationScenario } from './scenario.ts'

/** By name. */
export const creationScenarios: Readonly<Record<string, CreationScenario>> = {
  'lost-answer': {
    does: 'makes the next order, and loses the answer',
    merchant:
      'onError is called with code service_unavailable, and the server makes another order a few seconds later.',
    payer: '“Preparing your payment…” for some seconds, then address and amount.',
    fault: { kind: 'reset', workDone: true },
  },
  'slow-answer': {
    does: 'answers the next creation after ten seconds',
    merchant: 'nothing is called: the server waits.',
    payer: '“Preparing your payment…” for ten seconds, then address and amount.',
    fault: { kind: 'latency', afterMs: 10_000 },
  },
  refused: {
    does: 'refuses the next creation with 400',
    merchant: 'onError is called with code service_refused. There is no order.',
    payer:
      '“This payment cannot start”; with several coins, “This way to pay is not available now. Please choose another.”',
    fault: { kind: 'status', status: 400, message: 'The sandbox was told to refuse this' },
  },
}
