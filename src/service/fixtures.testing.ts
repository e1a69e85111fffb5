/**
 * Answers of the service, written by hand from its reference and its public documentation: for
 * tests only. The client must read them and the sandbox must write answers like them, so that the
 * two cannot share a misreading.
 */

/**
 * Creation response: exactly the fields of the reference. The amount has more digits than a double
 * holds.
 */
export const instructionsAnswer = `{
  "amount": 0.123456789012345678,
  "asset": {
    "large_image_url": "https://files.example/eth-69.png",
    "medium_image_url": "https://files.example/eth-35.png",
    "name": "Ethereum",
    "small_image_url": "https://files.example/eth-20.png",
    "symbol": "ETH",
    "type": "crypto"
  },
  "date_time": "2026-11-21T10:00:00.123456Z",
  "deposit": true,
  "exp_time": 1200,
  "message": "",
  "network": "erc-20",
  "tag": "",
  "wallet_address": "0x52908400098527886E0F7030069857D2E4169EE7"
}`

/**
 * Creation response for a fiat source: nobody deposits it at an address, and `asset.type` is empty
 * as in the example.
 */
export const fiatInstructionsAnswer = `{
  "amount": 50.00,
  "asset": {
    "large_image_url": "",
    "medium_image_url": "",
    "name": "US Dollar",
    "small_image_url": "",
    "symbol": "USD",
    "type": ""
  },
  "date_time": "2026-11-21T10:00:00.123456Z",
  "deposit": true,
  "exp_time": 1200,
  "message": "",
  "network": "",
  "tag": "",
  "wallet_address": ""
}`

/** One order as the list has it. */
export const orderItem = `{
  "id": "0f5bd1fc-4a2b-4d2a-9d0f-5a0a1f0f7c11",
  "account_id": "6d1f6f0e-7a33-4a37-8a0b-0d4b7c5a9b01",
  "sub_account_id": "a52c1a2e-9f7d-4d67-8f3c-27f0b8f6f0aa",
  "recipient_email": "",
  "description": "",
  "status": "open",
  "source_asset": "ETH",
  "source_amount": 0.123456789012345678,
  "target_asset": "USD",
  "target_amount": 49.90,
  "valid_until": "2026-11-21T10:20:00.123456Z",
  "created_at": "2026-11-21T10:00:00.123456Z"
}`

/** The order list: `{message, orders, page, size, total_pages}`. */
export const listAnswer = `{ "message": "", "orders": [${orderItem}], "page": 1, "size": 10, "total_pages": 1 }`

/** A wallet record as the schema names its keys. */
export const walletSchemaAnswer = `{
  "id": "9c1f7a44-0d3e-4a7b-8a54-5f1d2b9c7e10",
  "name": "Treasury",
  "address": "0x52908400098527886E0F7030069857D2E4169EE7",
  "asset": "USDC",
  "Network": "erc-20",
  "type": "external",
  "message": "",
  "created_at": "2023-08-05T13:59:01.603085797Z",
  "updated_at": "2023-08-05T13:59:01.603085797Z",
  "deleted_at": ""
}`

/** The same record with the keys of the example. */
export const walletExampleAnswer = walletSchemaAnswer
  .replace('"Network"', '"network"')
  .replace('"type"', '"wallet_type"')
  .replace('"deleted_at": ""', '"deleted_at": null')

/** Answer of a deletion, and of every error that has a body. */
export const messageAnswer = '{ "message": "Wallet address deleted" }'
