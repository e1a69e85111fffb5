// What starts the shop, in place of `node dist/server/entry.mjs`: follows orders from the start, and not from the first request on.
import './payments.js'
import './dist/server/entry.mjs'
