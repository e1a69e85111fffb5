/** Calls code of the merchant that must not be able to stop the work. */

/**
 * Returns a function that never throws. Where the callback fails, only the process's own log is left.
 *
 * @param name - Of the option that the callback comes from.
 * @param otherwise - Called with what the callback was called with, where it fails.
 */
export function guarded<Args extends readonly unknown[]>(
  name: string,
  callback: (...args: Args) => unknown,
  otherwise: (...args: Args) => void = () => {},
): (...args: Args) => void {
  return (...args) => {
    const failed = (cause: unknown) => {
      console.error(`paywindow: ${name} threw`, cause)
      otherwise(...args)
    }
    try {
      const returned = callback(...args)
      // TypeScript accepts an async function for one that returns nothing; its rejection would end the process.
      if (returned instanceof Promise) returned.catch(failed)
    } catch (cause) {
      failed(cause)
    }
  }
}
