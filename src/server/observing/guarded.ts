/** Calls code of the merchant that must not be able to stop the work. */

/**
 * Returns a function that never throws. Where the callback fails, only the process's own log is left.
 *
 * @param name - Of the option that the callback comes from.
 */
export function guarded<Args extends readonly unknown[]>(
  name: string,
  callback: (...args: Args) => unknown,
): (...args: Args) => void {
  const failed = (cause: unknown) => console.error(`paywindow: ${name} threw`, cause)
  return (...args) => {
    try {
      const returned = callback(...args)
      // TypeScript accepts an async function for one that returns nothing; its rejection would end the process.
      if (returned instanceof Promise) returned.catch(failed)
    } catch (cause) {
      failed(cause)
    }
  }
}
