import { index, route } from '@react-router/dev/routes'

export default [index('routes/pay.jsx'), route('paywindow/*', 'routes/paywindow.js')]
