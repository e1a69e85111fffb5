/**
 * Paywindow as a payment provider: an order is placed with a payment link, and authorised by a
 * signed event.
 */
import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  BigNumberInput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  Logger,
  PaymentActions,
  ProviderWebhookPayload,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types'
import { AbstractPaymentProvider, defaultCurrencies, MathBN, MedusaError } from '@medusajs/framework/utils'
import { createPaymentServer, type PaymentEvent, type PaymentServerOptions } from './payment-server'

/** Options of the provider. */
export interface PaywindowOptions extends PaymentServerOptions {
  /** Where payers go back to: an address of the storefront. It proves nothing about the payment. */
  readonly returnUrl?: string
}

/** What Medusa keeps for the provider, and passes to it. */
type Input = { readonly data?: Record<string, unknown> | undefined }

/**
 * What the route of events says to the provider. Storefronts cannot: `data` may be theirs,
 * `context` is not.
 */
export interface PaidContext extends Record<string, unknown> {
  readonly paidCheckout: string
}

const required = ['serverUrl', 'apiSecret', 'eventsSecret'] as const

export class PaywindowProvider extends AbstractPaymentProvider<PaywindowOptions> {
  static override identifier = 'paywindow'
  readonly #server: ReturnType<typeof createPaymentServer>

  constructor(container: { readonly logger: Logger }, options: PaywindowOptions) {
    super(container, options)
    this.#server = createPaymentServer(options)
  }

  static override validateOptions(options: Record<string, unknown>): void {
    const missing = required.filter((name) => !options[name])
    if (missing.length > 0)
      throw new MedusaError(
        MedusaError.Types.INVALID_DATA,
        `Set ${missing.join(', ')} for Paywindow in medusa-config.ts`,
      )
  }

  async initiatePayment({ amount, currency_code, data }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const id = sessionOf({ data })
    return { id, status: 'pending', data: await this.#linked(id, amount, currency_code) }
  }

  /** The total has changed: the old link has the old price. */
  async updatePayment({ amount, currency_code, data }: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const id = sessionOf({ data })
    await this.#server.endLinks(id)
    return { status: 'pending', data: await this.#linked(id, amount, currency_code) }
  }

  /** Before an event has said that it is paid, the order is placed and keeps its stock. */
  async authorizePayment({ data, context }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const { paidCheckout } = (context ?? {}) as Partial<PaidContext>
    if (paidCheckout === undefined) return { status: 'pending_authorization', data: data ?? {} }
    return { status: 'authorized', data: { ...data, checkout: paidCheckout } }
  }

  async getPaymentStatus({ data }: Input) {
    return { status: 'pending_authorization' as const, data: data ?? {} }
  }

  async cancelPayment(input: Input) {
    return this.deletePayment(input)
  }

  async deletePayment({ data }: Input) {
    await this.#server.endLinks(sessionOf({ data }))
    return { data: data ?? {} }
  }

  /** The money is there already. */
  async capturePayment({ data }: Input) {
    return { data: data ?? {} }
  }

  /** Only Medusa writes it down. Paywindow sends no money: refund at the service. */
  async refundPayment({ data }: Input) {
    return { data: data ?? {} }
  }

  async retrievePayment({ data }: Input) {
    return { data: data ?? {} }
  }

  /**
   * @throws MedusaError for an event that is not the payment server's, or older than five minutes.
   */
  async getWebhookActionAndData({ rawData, headers }: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    const event = this.#server.verify(Buffer.from(rawData), headers)
    if (!event) {
      const why = 'This event is not signed with the events secret of this shop, or is old'
      throw new MedusaError(MedusaError.Types.INVALID_DATA, why)
    }
    const { order: session_id, price } = event.data
    // A test payment fails in a live shop.
    const action = this.#server.takes(event) ? actionOf(event) : 'failed'
    if (action === 'canceled') await this.#server.endLinks(session_id)
    return { action, data: { session_id, amount: price.amount } }
  }

  async #linked(order: string, amount: BigNumberInput, currency: string) {
    const { returnUrl } = this.config
    const asset = currency.toUpperCase()
    const price = { amount: textOf(amount, asset), asset }
    if (price.amount === '0')
      throw new MedusaError(
        MedusaError.Types.INVALID_DATA,
        'Nothing is to be paid: complete the cart without a payment',
      )
    const url = await this.#server.makeLink({ order, ...price, ...(returnUrl !== undefined && { returnUrl }) })
    return { session_id: order, url }
  }
}

/** With the digits of the currency: Medusa does not round taxes, and 10.814175 USD cannot be paid. */
export function textOf(amount: BigNumberInput, currency: string): string {
  return MathBN.convert(amount, defaultCurrencies[currency]?.decimal_digits).toFixed()
}

function sessionOf({ data }: Input): string {
  const id = data?.session_id
  if (typeof id !== 'string') throw new MedusaError(MedusaError.Types.INVALID_DATA, 'The payment session has no id')
  return id
}

function actionOf({ type }: PaymentEvent): PaymentActions {
  switch (type) {
    case 'payment.paid':
    case 'payment.paid_twice':
      return 'captured'
    case 'payment.lapsed':
      return 'canceled'
    case 'payment.seen':
    case 'payment.short':
    case 'payment.over':
    case 'payment.late':
      return 'pending_authorization'
  }
  return 'not_supported'
}
