/**
 * English texts of what only follows the panel: help, hints, the receipt, and the screens of a
 * payment that was seen.
 */
export const enAfter = {
  exchangeFee: 'Exactly {amount} must arrive. If the exchange takes its fee from that, {strong}.',
  exchangeFeeStrong: 'add the fee on top',
  exchangeNetwork: 'Choose this network there: {network}',
  exchangeTime:
    'Exchanges take minutes, some half an hour or more. It must arrive before {time}. Is yours slower? Do not send yet: log in there, and when this price is over, get a new one with its new address.',

  copyDetails: 'Copy details',
  detailsCopied: 'Details copied',

  ifLate: 'Arrived late: you may be asked for more, or get your money back.',
  ifShort: 'Too little: you may be asked for the rest, or get your money back.',
  ifOver: 'Too much: you may get back what is over.',
  ifOther: 'Another coin: you may get it back.',
  byItself: 'The payment service takes care of this by itself. {merchant} can look it up with the details below.',

  seenTitle: 'We see your payment. Confirming…',
  seenUsually: 'On {network} this usually takes up to {minutes} minutes.',
  seenLong:
    'This is taking longer than usual. Please do not send again: {merchant} can look it up with the details below.',
  seenText: 'You can close this page. {merchant} is told as soon as it is confirmed.',
  seenDiffers: 'Sent another amount or coin, or late?',
  shortTitle: 'Less arrived than was asked for',
  overTitle: 'More arrived than was asked for',
  otherTitle: 'The wrong coin arrived',
  lateTitle: 'Your payment arrived late',
  returningTitle: 'Your payment is being returned',
  sendNothing: 'Do not send anything now.',
  asked: 'Asked for',
  received: 'Received',
  missing: 'Missing',
  comingBack: 'Coming back',
  notReported: 'amount not reported yet',

  paidTitle: 'Paid, thank you',
  paidText: '{price} paid to {merchant}',
  receiptCoin: 'Paid with',
  receiptTime: 'Date',
  receiptReference: 'Reference',
  copyReceipt: 'Copy receipt',
  print: 'Print',
  paidOver: 'Sent too much?',
  backTo: 'Back to {merchant}',
  endedText:
    'Please do not send anything more. If you already sent something, do not pay again: {merchant} can look it up with the details below.',
  elsewhereSeenTitle: 'This order already has a payment',
  elsewhereSeenText: 'It is being confirmed. Please do not send again.',
  elsewherePaidTitle: 'This order is already paid',
  elsewherePaidText:
    'Please do not send again. If you sent from here too, {merchant} can look it up with the details below.',

  refusedSetup: 'The shop has to correct something first. Please tell them this reference: {code}',
  refusedMethod: 'This way to pay is not available for this order. Please choose another.',
  refusedService: 'The payment service gave no address to pay to. Reference: {code}',
  refusedAnswer:
    'The answer could not be checked, so there is nothing to pay here. Please try again. Reference: {code}',
  viewEndedTitle: 'This link has ended',
  viewEnded: 'Your payment is not affected. Please go on with it on the device where you started.',

  checkoutId: 'Payment: {id}',
  continueElsewhere: 'Open this payment on another device',
  handoverText: 'Scan this with your phone to see and pay it there until {time}. Anyone with this code can see it.',
  handoverCode: 'Code that opens this payment on another device',
  handoverLink: 'Link',
  handoverMaking: 'Making the link…',
  share: 'Share',
  handoverFailed: 'The link could not be made. Please try again.',
  arriveBeforeDate: 'Must arrive before {time}',

  notify: 'Notify me when it is paid',
  notifyOn: 'You are told here when it is paid.',
  notifyDenied: 'Your browser does not allow notifications from this page.',
} as const
