// Runs once when the server starts, and not while it is built: from then on orders are followed.
export async function register() {
  if (process.env.NEXT_RUNTIME === 'nodejs') await import('./payments.js')
}
