// Solana Pay's code, which is a code and nothing else.
import { createQR, encodeURL } from '@solana/pay'
import { order } from '../pages/order.ts'

const { amount } = await order()
const url = encodeURL({
  recipient: 'GsbwXfJraMomNxBcjYLcG3mxkBUiyWXAB32fGbSMQRdW',
  amount: Number(amount),
  label: 'Shop',
})
createQR(url, 260).append(document.getElementById('root'))
