// Adyen's code for Pix, the lightest complete peer. Its own requests are answered by the bench's server.
import { AdyenCheckout, Pix } from '@adyen/adyen-web'
import { order } from '../pages/order.ts'
import '@adyen/adyen-web/styles/adyen.css'

await order()
const mock = `${location.origin}/adyen-mock/test/`
const checkout = await AdyenCheckout({
  clientKey: 'test_ABCDEFGHIJKLMNOPQRSTUVWXYZ123456',
  environment: 'test',
  locale: 'en-US',
  countryCode: 'BR',
  amount: { value: 12550, currency: 'BRL' },
  _environmentUrls: { api: mock, analytics: mock, cdn: { images: mock, translations: mock } },
  analytics: { enabled: false },
  onError: (error) => console.log(error.message),
  onSubmit: () => {},
  onAdditionalDetails: () => {},
  onPaymentCompleted: () => {},
  onPaymentFailed: () => {},
})
AdyenCheckout.register(Pix)
const qrCodeData =
  '00020126580014br.gov.bcb.pix0136123e4567-e89b-12d3-a456-4266141740005204000053039865802BR5903Pay6008BRASILIA62070503***63041D3D'
const action = { type: 'qrCode', paymentMethodType: 'pix', paymentData: 'x'.repeat(200), qrCodeData }
checkout.createFromAction(action, { countdownTime: 20 }).mount('#root')
