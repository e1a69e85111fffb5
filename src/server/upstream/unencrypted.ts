/** Notices an access token that would be sent as it is, for everybody on the way to read. */
import { PaywindowError } from '../../contract/errors.ts'

/** Whether a host is this machine. @param hostname - As `URL` writes it. */
export function isOfThisMachine(hostname: string): boolean {
  return /^(?:(?:[^.]+\.)*localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}

/** The error to report where the service is reached over `http:` and is not on this machine, or undefined. */
export function unencrypted(baseUrl: string): PaywindowError | undefined {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol !== 'http:' || isOfThisMachine(hostname)) return undefined
  const what = `The access token is sent to ${hostname} unencrypted: service.baseUrl begins with http://. Use https://`
  return new PaywindowError('token_unencrypted', what)
}
