/** The payment provider `pp_paywindow_paywindow`. */
import { ModuleProvider, Modules } from '@medusajs/framework/utils'
import { PaywindowProvider } from './provider'

export default ModuleProvider(Modules.PAYMENT, { services: [PaywindowProvider] })
