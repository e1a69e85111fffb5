/** How many items a page of the list is asked for. Which sizes the service takes is not stated. */
import { ServiceError } from '../../service/errors.ts'

/** The largest is tried first, because it takes the fewest requests. */
const pageSizes = [100, 50, 20, 10]

/** The size that is tried first. */
export const largestPageSize = 100

/** With these a service may say that a page has too many items. */
export function mayRefuseSize(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 400 || error.status === 422)
}

/**
 * Asks with smaller and smaller sizes while that is refused.
 *
 * @param largest - The first to be tried. Default 100.
 * @throws What `ask` throws; the first refusal where no size is accepted.
 */
export async function atLargestSize<Result>(
  ask: (size: number) => Promise<Result>,
  largest = largestPageSize,
): Promise<Result> {
  const refusals: unknown[] = []
  for (const size of pageSizes.filter((each) => each <= largest)) {
    try {
      return await ask(size)
    } catch (error) {
      if (!mayRefuseSize(error)) throw error
      refusals.push(error)
    }
  }
  throw refusals[0]
}
