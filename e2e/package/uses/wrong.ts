/** Not to be compiled. */
import { createPaywindow } from 'paywindow/server/node'

createPaywindow({ ofer: () => null })
