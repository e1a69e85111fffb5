/**
 * The signature of an event is that of its bytes. If your project has this file, add the route to
 * yours.
 */
import { defineMiddlewares } from '@medusajs/framework/http'

export default defineMiddlewares({
  routes: [{ matcher: '/paywindow/events', methods: ['POST'], bodyParser: { preserveRawBody: true } }],
})
