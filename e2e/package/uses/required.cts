/** A shop that writes `require`. */
import node = require('paywindow/server/node')
import sandbox = require('paywindow/sandbox')

const options: node.NodePaywindowOptions = { service: sandbox.createSandbox().access, offer: () => null }
const server: node.PaywindowServer = node.createPaywindow(options)
const codes: node.PaywindowErrorCode = new node.PaywindowError('not_found', '').code
// @ts-expect-error: there is no default export.
node.default
// @ts-expect-error: this option is not there.
node.createPaywindow({ ...options, ofer: () => null })
export = { server, codes }
