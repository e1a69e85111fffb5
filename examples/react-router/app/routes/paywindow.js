import { paywindow } from '../../payments.js'

/** Everything that the widget asks: GET comes to the loader, and POST to the action. */
export const loader = ({ request }) => paywindow.fetch(request)
export const action = loader
