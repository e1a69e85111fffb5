/** Reads the deposit instructions in the answer to a creation. */
import { asRecord, type JsonRecord, ParseError } from '../contract/parse.ts'
import { isUsableId, looseBoolean, looseText, own, placeField, textField, unwrap } from './fields.ts'
import type { AssetDescriptor, DepositInstructions } from './types.ts'

/** Longer than any way to write a time. */
const maxTimeLength = 200

const ownFields = ['amount', 'wallet_address', 'asset', 'exp_time', 'date_time', 'deposit']

/**
 * Reads deposit instructions. Amount, address, tag, network, asset and id are refused when they have a wrong type, because
 * treating them as absent could lose a payer's money. Other fields of a wrong type count as absent, and so does an id that no path can hold.
 *
 * @throws ParseError that names the wrong field, or says that there are no instructions.
 */
export function parseInstructions(json: unknown): Omit<DepositInstructions, 'timing'> {
  const record = unwrap(json, ['order', 'data'], ownFields)
  if (!ownFields.some((name) => own(record, name) !== undefined))
    throw new ParseError('deposit instructions are missing')
  return {
    orderId: readId(record),
    amount: textField(record, 'amount'),
    asset: readAsset(record),
    dateTime: looseText(record, 'date_time', maxTimeLength),
    deposit: looseBoolean(record, 'deposit'),
    expTime: looseText(record, 'exp_time', maxTimeLength),
    message: looseText(record, 'message'),
    network: textField(record, 'network', 'Network'),
    tag: placeField(record, 'tag'),
    walletAddress: placeField(record, 'wallet_address'),
  }
}

/** The order can be found without its id, so an odd id is no reason to lose the instructions. */
function readId(record: JsonRecord): string | null {
  const id = [own(record, 'id'), own(record, 'order_id')].find((value) => value !== undefined && value !== null)
  if (typeof id === 'string' && id.length > 0 && !isUsableId(id)) return null
  return textField(record, 'id', 'order_id')
}

function readAsset(record: JsonRecord): AssetDescriptor | null {
  const value = own(record, 'asset')
  if (value === undefined || value === null || value === '') return null
  const asset: JsonRecord = typeof value === 'string' ? { symbol: value } : asRecord(value, 'asset')
  return {
    symbol: textField(asset, 'symbol'),
    name: looseText(asset, 'name'),
    type: looseText(asset, 'type'),
    smallImageUrl: looseText(asset, 'small_image_url'),
    mediumImageUrl: looseText(asset, 'medium_image_url'),
    largeImageUrl: looseText(asset, 'large_image_url'),
  }
}
