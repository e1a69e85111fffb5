/** Reads an answer's body to its end, and never more of it than is allowed. */

/** Thrown when a body has more bytes than are read. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

/**
 * @param maxBytes - Bytes after decompression; reading stops at the first chunk beyond them.
 * @param signal - Cancels the body: an aborted fetch does not end a body that came from elsewhere.
 * @throws BodyTooLargeError, or whatever broke the connection.
 */
export async function readText(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  if (!response.body) return ''
  const reader = response.body.getReader()
  const stop = () => void reader.cancel(signal.reason).catch(() => undefined)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const decoder = new TextDecoder()
    let text = ''
    let bytes = 0
    while (true) {
      const { done, value } = await reader.read()
      if (signal.aborted) throw signal.reason
      if (done) return text + decoder.decode()
      bytes += value.byteLength
      if (bytes > maxBytes) {
        stop()
        throw new BodyTooLargeError(`More than ${maxBytes} bytes`)
      }
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
