/**
 * English texts of what is not on the panel when it is first drawn, but may be shown before more is
 * loaded: the choice, warnings, a quote that is over, and errors.
 */
export const enLater = {
  chooseTitle: 'What would you like to pay with?',
  heldFor: 'Choose a coin. Its price then holds for 20 minutes.',
  chooseSearch: 'Search by name or network',
  chooseNone: 'Nothing matches. Try a shorter word.',
  chooseFailed: 'This way to pay is not available now. Please choose another.',
  needsTag: 'needs a tag',
  networkOf: '{network} network',
  back: 'Back',

  lateHint: 'Little time left. Already sent? Wait here. Not sent yet, and a slow wallet or exchange? First {strong}.',
  lateHintStrong: 'get a new price',

  walletChoose: 'Choose your wallet',

  actionFailed: 'That did not work. Please try again.',

  expiredStrong: 'Please do not send to the old address.',
  newQuote: 'Get a new price',
  newQuoteFailed: 'We could not get a new price. Please try again.',
  alreadySent: 'I have already sent it',
  notSent: 'I have not sent anything',
  sentEarlier: 'Did you already send to the earlier address {address}? Then do not send again.',
  lookNow: 'Check now',
  sentTitle: 'We keep looking for your payment',
  sentText: 'It shows here as soon as it is seen. Please do not send again.',

  unreachableTitle: 'The shop does not answer',
  unreachableText: 'Please check your connection.',
  busyTitle: 'The payment service is busy',
  busyText: 'This can take a minute.',
  ifSent: 'If you have already sent something, do not pay again.',
  limitedTitle: 'One moment, please',
  limitedText: 'There were many attempts in a short time. We try again in a moment.',
  refusedUnknown:
    'The shop does not know this order, or it cannot be paid from here. Please start again from your cart.',
  contactShop: 'Contact the shop',

  close: 'Close',
} as const
