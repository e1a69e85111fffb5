import { paywindow } from '../../payments.js'

/** Everything that the widget asks: GET comes to the loader, and POST to the action. */
export const loader = ({ request }) => paywindow.fetch(request)
export const action = loader

// `react-router-serve` only stops listening when it is told to end, and following orders would keep its process running.
globalThis.ending ??= ['SIGINT', 'SIGTERM'].map((signal) => process.once(signal, () => globalThis.watching.stop()))
