/** A gateway in front of the service, with its own clock: its error pages state another time than the service does. */
import type { Faults } from '../faults/faults.ts'

const mostSeconds = 2 * 3_600

/** Wraps the service's `fetch`: some error pages get a `Date` from the gateway's own clock, a minute to two hours off. */
export function withGatewayTimes(service: typeof fetch, { strikes, random }: Faults): typeof fetch {
  return async (input, init) => {
    const answer = await service(input, init)
    const date = answer.headers.get('date')
    if (date === null || !isOfGateway(answer) || !strikes('service: page with the time of a gateway')) return answer
    const headers = new Headers(answer.headers)
    const aheadMs = random.pick([-1, 1]) * random.between(60, mostSeconds) * 1_000
    headers.set('date', new Date(Date.parse(date) + aheadMs).toUTCString())
    return new Response(answer.body, { status: answer.status, headers })
  }
}

/** Whether something in front of the service may have written the answer. */
export function isOfGateway({ ok, headers }: Response): boolean {
  return !ok || !headers.get('content-type')?.includes('json')
}
