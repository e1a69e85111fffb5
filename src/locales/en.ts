/**
 * English texts of the widget, and the shape of every other language. `{name}` is filled in; what stands in it may be set in
 * bold, so a text is a whole sentence and never put together from parts. Plain data: other languages are JSON.
 *
 * How these read: what is happening, then one clear next step. Nothing promises how or when a refund arrives, because the
 * service does not tell.
 */
export const en = {
  preparing: 'Preparing your payment…',

  chooseTitle: 'What would you like to pay with?',
  chooseHint: 'You send from your own wallet or exchange',
  chooseSearch: 'Search by name or network',
  chooseNone: 'Nothing matches. Try a shorter word.',
  chooseFailed: 'This way to pay is not available right now. Please choose another.',
  priceHeld: 'Price held for 20 min',
  networkOf: '{network} network',
  back: 'Back',

  sendExactly: 'Send exactly',
  onlyOn: 'Only on the {network} network',
  change: 'Change',
  timeLeft: 'Time left',
  mustArriveBefore: 'Must arrive before {time}',
  amount: 'Amount',
  toAddress: 'To this address',
  step: '{step} · {label}',
  tagNeeded: '{tag}, always needed',
  tagWarning: 'Without the {tag} your deposit cannot be matched to this order.',
  destinationTag: 'Destination tag',
  memo: 'Memo',
  comment: 'Comment',
  tag: 'Tag or memo',
  openWallet: 'Open in wallet',
  exchangeHint: 'Paying from an exchange? {strong}, so that the full amount arrives.',
  exchangeHintStrong: 'Add its fee on top',
  lateHint: 'Little time left. If your wallet or exchange is slow, {strong}',
  lateHintStrong: 'get a new quote',

  codeHolds: 'What the code holds',
  codeAddress: 'Address',
  codeAmount: 'With amount',
  codeTag: '{tag}',
  codeBoth: 'Both',
  codeOfAddress: 'Payment code with the address',
  codeOfAmount: 'Payment code with the address and the amount',
  codeOfTag: 'Code with the {tag}',
  codeOfBoth: 'Payment code with the address and the {tag}',
  whyAddress: 'Holds the address only. Check amount and network in your wallet.',
  whyAmount: 'Fills in the address and the amount. If your wallet cannot read it, switch to the address.',
  whyTag: 'Holds only the {tag}. Scan it into that field of your wallet.',
  whyBoth: 'Fills in the address and the {tag} where the wallet can read both. Check them.',

  copy: 'Copy',
  copied: 'Copied',
  copyName: 'Copy {name}',
  copiedName: '{name} copied',
  copyFailed: 'Could not copy. The text is selected: copy it from there.',
  copyDetails: 'Copy details',
  detailsCopied: 'Details copied',

  expiredTitle: 'This quote is over',
  expiredText: 'Prices move, so an amount is held for 20 minutes. {strong}',
  expiredStrong: 'Please do not send to the old address.',
  newQuote: 'Get a new quote',
  newQuoteFailed: 'A new quote could not be made right now. Please try again.',
  alreadySent: 'I have already sent it',
  sentTitle: 'We keep looking for your deposit',
  sentText: 'It shows here once the exchange service sees it. Please do not send again.',
  sentLate:
    'When a deposit comes late, the service may ask for a top-up or send it back by itself. {merchant} can look it up with the details below.',

  seenTitle: 'Deposit seen, being confirmed',
  seenText: 'You can close this page. {merchant} is told as soon as it is confirmed.',
  seenDiffers: 'Sent another amount or asset, or late?',
  seenDiffersText:
    'The exchange service then asks for a top-up or refunds the deposit by itself. {merchant} can look it up with the details below.',
  stepQuote: 'Amount held',
  stepSeen: 'Deposit seen',
  stepConfirming: 'Waiting for confirmation',
  stepPaid: 'Paid',
  now: 'now',

  paidTitle: 'Paid, thank you',
  paidText: '{order} is paid.',
  thisOrder: 'Your order',
  backTo: 'Back to {merchant}',
  endedTitle: 'This payment was canceled',
  endedText:
    'Nothing more must be sent to its address. If you already sent something, {merchant} can look it up with the details below.',
  elsewhereSeenTitle: 'This order already has a deposit',
  elsewhereSeenText: 'It came in with another quote and is being confirmed. Please do not send again.',
  elsewherePaidTitle: 'This order is already paid',
  elsewherePaidText: 'It was paid with another quote. Please do not send again.',

  unreachableTitle: 'The shop does not answer',
  unreachableText: 'Nothing was charged and nothing is lost. We keep trying; check your connection in the meantime.',
  busyTitle: 'The exchange service is busy',
  busyText: 'Nothing was charged and nothing is lost. We keep trying; this can take a minute.',
  limitedTitle: 'One moment, please',
  limitedText: 'There were many attempts in a short time. We try again by ourselves in a moment.',
  retry: 'Try again',
  refusedTitle: 'This payment cannot start',
  refusedSetup: 'The shop has to correct a setting first. Please tell them this code: {code}.',
  refusedUnknown:
    'The shop does not know this order, or it cannot be paid from here. Please go back to your cart and start again.',
  refusedMethod: 'This way to pay is not available for this order. Please go back and choose another.',
  refusedService:
    'The exchange service did not accept this payment. You can try again, or choose another way to pay. Code: {code}.',
  refusedAnswer: 'The answer could not be checked, so nothing to pay is shown. Please try again. Code: {code}.',

  footWaiting: 'Waiting for your deposit',
  footTracking: 'You can pay; the status is being looked up',
  footSeen: 'Waiting for confirmation',
  footWatching: 'Still watching the old quote',
  footChecked: 'Checked {time}',
  footLost: 'Connection lost, trying again',
  footFailing: 'Cannot check right now, trying again',
  footRetrying: 'Trying again by itself',
  help: 'Need help?',
  details: 'Details',
  oldAddress: 'Old address, not to be used: {address}',
  reference: 'Reference: {reference}',
  checkoutId: 'Payment: {id}',
  viewOnly: 'Opened from another device, to look at only',
  test: 'Test: do not send money',
  close: 'Close',
  dialogName: 'Payment',
  opensNewTab: 'opens in a new tab',

  said5: '5 minutes left to pay',
  said1: '1 minute left to pay',
  said30: '30 seconds left to pay',
} as const

/** Every text of the widget, by name. */
export type Texts = Readonly<Record<keyof typeof en, string>>
