// Follows orders from the start, and not from the first request on.
import './payments.js'
import './dist/server/entry.mjs'
