/**
 * Sees to a Redis for the tests, and to a Valkey where Debian has one (about 2 MB each). Where that cannot be done it says what to do, and the
 * tests of the Redis store are skipped.
 */
import { findRedis, noRedisAdvice, redisPrograms } from '../e2e/stores/redis-server.ts'
import { installFromDebian } from './debian.ts'

installFromDebian(redisPrograms.filter((name) => !findRedis().includes(name)))
const found = findRedis()
console.log(
  found.length > 0
    ? `For the tests: ${found.join(', ')}`
    : `The tests of the Redis store are SKIPPED. ${noRedisAdvice}.`,
)
