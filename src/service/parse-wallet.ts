/** Reads the record of a registered wallet address, and the message that a deletion is answered with. */
import { ParseError } from '../contract/parse.ts'
import { isUsableId, looseText, placeField, textField, unwrap } from './fields.ts'
import type { Wallet } from './types.ts'

/**
 * Reads a wallet record with the keys of the schema (`Network`, `type`) or of the example (`network`, `wallet_type`).
 *
 * @throws ParseError naming the field that is wrong. Without an id the address could never be removed again.
 */
export function parseWallet(json: unknown): Wallet {
  const record = unwrap(json, ['data', 'wallet_address', 'wallet'], ['id', 'address'])
  const id = textField(record, 'id')
  if (!isUsableId(id)) throw new ParseError('id is not there')
  return {
    id,
    name: looseText(record, 'name'),
    address: placeField(record, 'address'),
    asset: textField(record, 'asset'),
    network: textField(record, 'network', 'Network'),
    walletType: textField(record, 'wallet_type', 'type'),
    message: looseText(record, 'message'),
    createdAt: looseText(record, 'created_at'),
    updatedAt: looseText(record, 'updated_at'),
    deletedAt: textField(record, 'deleted_at'),
  }
}

/** The `message` of a deletion's answer, null when there is none. @throws ParseError when the answer is no object. */
export function parseDeletion(json: unknown): string | null {
  return looseText(unwrap(json, ['data'], ['message']), 'message')
}
