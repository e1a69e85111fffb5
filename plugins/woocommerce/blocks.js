/* global wc, wp */
// Shows the gateway in a checkout that is made of blocks. The data is that of blocks.php.
const { title, description } = wc.wcSettings.getSetting('paywindow_data')
const content = wp.element.createElement('p', null, description)

wc.wcBlocksRegistry.registerPaymentMethod({
  name: 'paywindow',
  label: title,
  ariaLabel: title,
  content,
  edit: content,
  canMakePayment: () => true,
})
