/** The address of the socket that a request came by, where a listener knows it. */

const addresses = new WeakMap<Request, string>()

/** To be called by what makes the `Request`. */
export function noteSocketAddress(request: Request, address: string): void {
  addresses.set(request, address)
}

/** Undefined for a request that no listener of ours made. */
export function socketAddress(request: Request): string | undefined {
  return addresses.get(request)
}
