import { describe, expect, it } from 'vitest'
import { createTestShop } from './shop.testing.ts'

describe('serviceRequestsPerSecond', () => {
  it.each([0, -1, 1.5, 1_001, Number.NaN, Number.POSITIVE_INFINITY])('is not %j', (serviceRequestsPerSecond) =>
    expect(() => createTestShop({ serviceRequestsPerSecond })).toThrow('serviceRequestsPerSecond must be'),
  )

  it.each([1, 1_000])('may be %j', (serviceRequestsPerSecond) =>
    expect(createTestShop({ serviceRequestsPerSecond })).toBeDefined(),
  )
})
