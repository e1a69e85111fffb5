/** The API of a shop in OpenAPI 3.1: what the build writes to `openapi.json`. */
import { orderStatuses, phases } from '../contract/checkout.ts'
import { eventTypes } from './events.ts'
import type { Schema } from './form.ts'
import { orderForm, paymentForm, problems } from './payments.ts'

const text = (description: string) => ({ type: 'string', description })
const time = (description: string) => ({ type: 'string', format: 'date-time', description })
const orNull = (schema: Schema) => ({ anyOf: [schema, { type: 'null' }] })
/** All fields are there, and no others. */
const record = (description: string, properties: Readonly<Record<string, Schema>>) => ({
  type: 'object',
  description,
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

const money = record('An amount as exact decimal text', {
  asset: text('Such as EUR or BTC'),
  amount: text('Such as 49.90'),
})

const link = record('A payment link', {
  url: text('Send it to the payer'),
  code: text('A QR code of the link, as SVG'),
  expiresAt: time('When it ends'),
})

const merchantPhases = [...phases, 'paid_less', 'paid_more']
const status = { enum: orderStatuses, description: "The service's word" }

const received = orNull(
  record('What came, as far as the service shows it', { deposit: orNull(money), price: orNull(money) }),
)

const payment = record('One quote of an order, and what came of it', {
  checkout: text('Its id, as in events'),
  number: orNull(text('Your number of the order')),
  phase: { enum: merchantPhases, description: 'paid: the service has the money that was asked for' },
  status,
  price: money,
  received,
  asset: text('What the payer sends'),
  network: text("The service's name of the network"),
  createdAt: time('When it was created'),
  expiresAt: orNull(time('When its price ends')),
  history: {
    type: 'array',
    description: 'Its changes, oldest first',
    items: record('A change', { status, phase: { enum: phases }, at: time('When it was learnt of') }),
  },
  test: { type: 'boolean', description: 'True where no real money moves' },
})

const event = record('What happened to a payment', {
  type: { enum: eventTypes.map((type) => `payment.${type}`) },
  timestamp: time('When it was learnt of'),
  data: record('The payment', {
    order: text('Your id of the order'),
    number: orNull(text('Your number of the order')),
    price: money,
    received,
    phase: { enum: merchantPhases },
    status,
    checkout: text('The id of the quote'),
    at: time('When it was learnt of'),
    also_paid: { type: 'array', items: text('The id of another quote of the order that is paid') },
    test: { type: 'boolean', description: 'True where no real money moves' },
  }),
})

const problem = record('What is wrong, after RFC 9457', {
  type: { enum: Object.keys(problems).map((name) => `urn:paywindow:problem:${name}`) },
  title: text('What is wrong'),
  status: { type: 'integer' },
  detail: text('What to do, for people'),
})

const json = (schema: Schema) => ({ 'application/json': { schema } })
const refusals = (...names: readonly (keyof typeof problems)[]) =>
  Object.fromEntries(
    [...names, 'unauthorized', 'internal', 'service_unavailable'].map((name) => [
      `${problems[name as keyof typeof problems][0]}`,
      {
        description: problems[name as keyof typeof problems][1],
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const ofOrder = [{ name: 'order', in: 'query', required: true, schema: orderForm.schema }]

/** @param version - Of the package. */
export function openApi(version: string): Schema {
  return {
    openapi: '3.1.0',
    info: { title: 'paywindow serve', version, description: 'Payment links of a shop, and what came of them.' },
    servers: [{ url: 'https://pay.shop.example/{shop}', variables: { shop: { default: 'books' } } }],
    security: [{ secret: [] }],
    paths: {
      '/v1/payments': {
        post: {
          operationId: 'createPayment',
          summary: 'Makes a payment link. The same key and body get the same answer for a day.',
          parameters: [
            {
              name: 'Idempotency-Key',
              in: 'header',
              required: true,
              schema: { type: 'string', pattern: '^[!-+\\--~]{1,255}$' },
            },
          ],
          requestBody: { required: true, content: json(ref('NewPayment')) },
          responses: {
            201: { description: 'The link', content: json(ref('Link')) },
            ...refusals('invalid_request', 'idempotency_key_reused', 'request_too_large', 'unsupported_media_type'),
          },
        },
        get: {
          operationId: 'listPayments',
          summary: 'What came of an order, newest first.',
          parameters: ofOrder,
          responses: {
            200: { description: 'Its payments', content: json(ref('Payments')) },
            ...refusals('invalid_request'),
          },
        },
        delete: {
          operationId: 'endLinks',
          summary: 'Ends all links of an order that were made so far. What was begun by them goes on.',
          parameters: ofOrder,
          responses: { 204: { description: 'They have ended' }, ...refusals('invalid_request') },
        },
      },
    },
    webhooks: {
      payment: {
        post: {
          operationId: 'paymentEvent',
          summary: 'Tells your shop of a payment, signed as the Standard Webhooks specification says.',
          security: [],
          requestBody: { required: true, content: json(ref('Event')) },
          responses: { '2XX': { description: 'Your shop has taken it. After any other answer it comes again.' } },
        },
      },
    },
    components: {
      securitySchemes: { secret: { type: 'http', scheme: 'bearer' } },
      schemas: {
        NewPayment: paymentForm.schema,
        Link: link,
        Payment: payment,
        Payments: record('The payments of an order', {
          order: text('Your id of it'),
          payments: { type: 'array', items: ref('Payment') },
        }),
        Event: event,
        Problem: problem,
      },
    },
  }
}
