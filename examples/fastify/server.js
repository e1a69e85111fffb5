import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import middie from '@fastify/middie'
import files from '@fastify/static'
import fastify from 'fastify'
import { toNodeListener } from 'paywindow/server/node'
import { paywindow } from './payments.js'

const page = readFileSync(new URL('./page.html', import.meta.url))

const app = fastify()
await app.register(middie)
app.use('/paywindow', toNodeListener(paywindow))
// The script, and the folder of its languages beside it.
await app.register(files, {
  root: fileURLToPath(new URL('.', import.meta.resolve('paywindow/paywindow.js'))),
  prefix: '/assets/',
})
app.get('/', (_, reply) => reply.type('text/html').send(page))

console.log(`${await app.listen({ port: Number(process.env.PORT ?? 3000), host: 'localhost' })}/`)
