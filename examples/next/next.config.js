export default { cacheComponents: true, partialPrefetching: true, reactStrictMode: true }
