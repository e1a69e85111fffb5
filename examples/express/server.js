import { fileURLToPath } from 'node:url'
import express from 'express'
import { toNodeListener } from 'paywindow/server/node'
import { paywindow } from './payments.js'

const app = express()
app.use('/paywindow', toNodeListener(paywindow))
// The script, and the folder of its languages beside it.
app.use('/assets', express.static(fileURLToPath(new URL('.', import.meta.resolve('paywindow/paywindow.js')))))
app.get('/', (_, res) => res.sendFile('page.html', { root: import.meta.dirname }))

const server = app.listen(process.env.PORT ?? 3000, () => console.log(`http://localhost:${server.address().port}/`))
