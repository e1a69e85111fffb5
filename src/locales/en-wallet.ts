/**
 * English texts of wallets in the browser, which come with their file.
 */
export const enWallet = {
  walletPick: 'Which wallet?',
  walletNone: 'No wallet answered. Copy the address.',
  walletAnswer: 'Your wallet has a question. Answer it there.',
  walletConfirm: 'Compare amount and address in your wallet, then confirm there.',
  walletDeclined: 'Nothing was sent. You can try again.',
  walletNetwork: 'Nothing was sent. Switch your wallet to {network} first.',
  walletFunds: 'Nothing was sent. The account has too little for the amount and the network fee.',
  walletContract: 'Nothing was sent. This account is a contract. Use another account, or copy the address.',
  walletLate: 'Nothing was sent. Too little time is left. Get a new price first.',
  walletFailed: 'Nothing was sent. Copy the address instead.',
  walletUnsure: 'Your wallet may have sent it. Look there before you send again.',
  walletOther: 'Your wallet sent something else than what was asked for. Contact {merchant} before you send again.',
} as const
