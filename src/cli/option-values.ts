/** Reads values of options. */
import { InvalidArgumentError } from 'commander'

/** A reader of whole numbers from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}.`)
  }
}
