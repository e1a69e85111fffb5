/** Parsers of option values. */
import { InvalidArgumentError } from 'commander'
import { ParseError } from '../contract/parse.ts'
import { shopName } from '../serve/config.ts'
import { readMoment } from '../serve/search.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { plainLine } from './text.ts'

/** Returns a parser of whole numbers from `min` to `max`. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`Must be a whole number from ${min} to ${max}.`)
  }
}

/** Takes the name of a shop. */
export function shopNamed(text: string): string {
  if (shopName.test(text)) return text
  throw new InvalidArgumentError('Must be the name of a shop, of a-z, 0-9 and -.')
}

/** Returns a parser of times that payments are searched by, into milliseconds since the epoch. */
export function moment(end: 'from' | 'to'): (text: string) => number {
  return (text) => {
    try {
      return readMoment(text, end, Date.now())
    } catch (error) {
      if (error instanceof ParseError) throw new InvalidArgumentError(`${error.message}.`)
      throw error
    }
  }
}

/** Parses a past time, such as `2026-11-01` or `7d`, into milliseconds since the epoch. */
export function pastTime(text: string): number {
  try {
    const atMs = readMoment(text, 'from', Date.now())
    if (atMs >= 0 && atMs <= Date.now()) return atMs
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
  }
  throw new InvalidArgumentError('Must be a time in the past, such as 2026-11-01, 2026-11-01T09:00:00Z or 7d.')
}

/**
 * Parses an http or https address.
 *
 * @param name - The option's name, for the message.
 * @throws CommandFailure, exit code 2, for any other text.
 */
export function webAddress(address: string, name: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new CommandFailure(exitCodes.usage, `${name} must be an http or https address, not ${plainLine(address)}.`)
}
