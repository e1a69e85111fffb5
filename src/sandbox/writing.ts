/** Writes the service's answers, in the variant that the options choose. */
import { quoteLifetimeMs } from '../contract/quote.ts'
import { sandboxAssets } from './assets.ts'
import { iconPath } from './icons.ts'
import { exactNumber, type Json, rawJson } from './json.ts'
import type { SandboxSettings } from './options.ts'
import type { SandboxOrder } from './order.ts'
import type { SandboxWallet } from './wallets.ts'

type JsonObject = { readonly [name: string]: Json | undefined }

/** The account that all sub-accounts belong to. */
export const accountId = '0c4f2d8a-3b6e-4f51-8a7d-9e1c2b3a4d5f'

/**
 * The answer to a creation, with the fields of the reference.
 *
 * @param origin - Origin of the icons' addresses.
 */
export function writeInstructions(order: SandboxOrder, settings: SandboxSettings, origin: string): JsonObject {
  return {
    ...(settings.creationId ? { id: order.id } : {}),
    amount: exactNumber(order.sourceAmount),
    asset: writeAsset(order, settings, origin),
    date_time: writeDateTime(order, settings),
    deposit: settings.depositFlag,
    exp_time: writeExpTime(order, settings),
    message: order.message,
    network: order.network ?? '',
    tag: writeTag(order, settings),
    wallet_address: order.address ?? '',
  }
}

/** An item of the list. */
export function writeItem(order: SandboxOrder, settings: SandboxSettings): JsonObject {
  return {
    id: order.id,
    account_id: accountId,
    sub_account_id: order.subAccountId,
    recipient_email: order.recipientEmail,
    description: order.description,
    status: order.status === 'canceled' ? settings.canceledSpelling : order.status,
    source_asset: order.sourceAsset,
    source_amount: exactNumber(order.sourceAmount),
    target_asset: order.targetAsset,
    target_amount: exactNumber(order.targetAmount, settings.targetDecimals),
    valid_until: order.validUntil,
    created_at: order.createdAt,
    ...(settings.listInstructions ? instructionFields(order, settings) : {}),
  }
}

/** The details of an order: the fields of the list, and the message about top-ups and refunds. */
export function writeDetails(order: SandboxOrder, settings: SandboxSettings): JsonObject {
  const item = writeItem(order, settings)
  const instructions = settings.detailsInstructions ? instructionFields(order, settings) : {}
  const details = { ...item, ...instructions, message: order.message }
  switch (settings.details) {
    case 'order':
      return details
    case 'wrapped':
      return { order: details }
    case 'data':
      return { data: details }
  }
}

/** A wallet, with the keys of the reference's schema or of its example. */
export function writeWallet(wallet: SandboxWallet, settings: SandboxSettings): JsonObject {
  const names = settings.walletKeys === 'schema' ? { Network: wallet.network } : { network: wallet.network }
  const kinds = settings.walletKeys === 'schema' ? { type: 'external' } : { wallet_type: 'external' }
  return {
    id: wallet.id,
    name: wallet.name,
    address: wallet.address,
    asset: wallet.asset,
    ...names,
    ...kinds,
    message: '',
    created_at: wallet.createdAt,
    updated_at: wallet.createdAt,
    deleted_at: settings.notDeleted,
  }
}

function instructionFields(order: SandboxOrder, settings: SandboxSettings): JsonObject {
  return {
    amount: exactNumber(order.sourceAmount),
    network: order.network ?? '',
    tag: writeTag(order, settings),
    wallet_address: order.address ?? '',
  }
}

function writeTag(order: SandboxOrder, settings: SandboxSettings): Json {
  const tag = order.tag ?? ''
  return settings.tagForm === 'number' && /^\d+$/.test(tag) ? exactNumber(tag) : tag
}

function writeAsset(order: SandboxOrder, settings: SandboxSettings, origin: string): JsonObject {
  const { iconLifetimeMs } = settings
  const expiry = iconLifetimeMs === null ? '' : `?expires=${order.createdAtMs + iconLifetimeMs}`
  const url = (size: 'small' | 'medium' | 'large') => `${origin}${iconPath(order.sourceAsset, size)}${expiry}`
  return {
    large_image_url: url('large'),
    medium_image_url: url('medium'),
    name: sandboxAssets.find(({ symbol }) => symbol === order.sourceAsset)?.name ?? '',
    small_image_url: url('small'),
    symbol: order.sourceAsset,
    // The reference's example has an empty type for a fiat source.
    type: order.network === null ? '' : 'crypto',
  }
}

function writeExpTime(order: SandboxOrder, { expTime }: SandboxSettings): Json | undefined {
  if (expTime === null) return undefined
  switch (expTime) {
    case 'seconds':
      return quoteLifetimeMs / 1000
    case 'milliseconds':
      return quoteLifetimeMs
    case 'minutes':
      return quoteLifetimeMs / 60_000
    case 'epoch-seconds':
      return Math.floor(order.expiresAtMs / 1000)
    case 'epoch-milliseconds':
      return Math.floor(order.expiresAtMs)
  }
  return rawJson(expTime.json)
}

function writeDateTime(order: SandboxOrder, { dateTime }: SandboxSettings): Json | undefined {
  if (dateTime === null) return undefined
  switch (dateTime) {
    case 'created':
      return order.createdAt
    case 'valid-until':
      return order.validUntil
    case 'created-seconds':
      return order.createdAt.replace(/\.\d+Z$/, 'Z')
    case 'created-epoch':
      return String(Math.floor(order.createdAtMs))
  }
  return dateTime.text
}
