import { paywindow } from '../../../payments.js'

export const prerender = false

/** Everything that the widget asks. */
export const ALL = ({ request }) => paywindow.fetch(request)
