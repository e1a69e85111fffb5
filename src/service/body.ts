/** Thrown when a body has more bytes than allowed. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

/**
 * Reads a body to its end.
 *
 * @param maxBytes - The most bytes after decompression. Reading stops at the first chunk beyond
 *   them.
 * @param signal - Cancels the body. Needed because an injected `fetch` may ignore its own signal.
 * @throws BodyTooLargeError, or the error that broke the connection.
 */
export async function readBytes(
  { body }: Pick<Response, 'body'>,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<ArrayBuffer> {
  const reader = body?.getReader()
  const stop = () => void reader?.cancel(signal?.reason).catch(() => undefined)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const parts: Uint8Array[] = []
    let bytes = 0
    while (true) {
      if (signal?.aborted) throw signal.reason
      const chunk = await reader?.read()
      if (signal?.aborted) throw signal.reason
      if (!chunk || chunk.done) return join(parts, bytes)
      const part = bytesOf(chunk.value)
      bytes += part.byteLength
      if (bytes > maxBytes) throw new BodyTooLargeError(`More than ${maxBytes} bytes`)
      parts.push(part)
    }
  } catch (error) {
    stop()
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/**
 * Text comes where a middleware has called `setEncoding`. Anything else has no length, and would
 * count as empty.
 */
function bytesOf(chunk: unknown): Uint8Array {
  if (typeof chunk === 'string') return new TextEncoder().encode(chunk)
  if (chunk instanceof Uint8Array) return chunk
  throw new TypeError('The body is not of bytes')
}

function join(parts: readonly Uint8Array[], bytes: number): ArrayBuffer {
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole.buffer
}

/** Reads a body as text. Same parameters and errors as `readBytes`. */
export async function readText(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  return new TextDecoder().decode(await readBytes(response, maxBytes, signal))
}
