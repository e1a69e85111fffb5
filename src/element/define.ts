/**
 * `paywindow/element/define`: registers `<pay-window>`.
 */
import { register } from './register.ts'

register()
