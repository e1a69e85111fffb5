import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import middie from '@fastify/middie'
import files from '@fastify/static'
import fastify from 'fastify'
import { toNodeListener } from 'paywindow/server/node'
import { paywindow, signed } from './payments.js'

const page = readFileSync(new URL('./page.html', import.meta.url), 'utf8')

const app = fastify()
// So that the listener of payments can be used as in Express.
await app.register(middie)
app.use('/paywindow', toNodeListener(paywindow))
// The script, and the folder of its languages beside it.
await app.register(files, {
  root: fileURLToPath(new URL('.', import.meta.resolve('paywindow/paywindow.js'))),
  prefix: '/assets/paywindow/',
  // Another registration for the shop's own files may have it.
  decorateReply: false,
})
app.get('/', (_, reply) => reply.type('text/html').send(page.replace('{reference}', signed('cart-42'))))

// When it is told to end: first what is asked, then what payments follow.
app.addHook('onClose', () => paywindow.close())
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close())

// In a container HOST is 0.0.0.0, so that others reach it.
const address = { port: Number(process.env.PORT ?? 3000), host: process.env.HOST ?? 'localhost' }
console.log(`${await app.listen(address)}/`)
