/** A picture as this server answers with it: kept by browsers for a day, and nothing but a picture wherever it is opened. */
export function imageAnswer(image: ArrayBuffer | string, type: string): Response {
  return new Response(image, {
    headers: {
      'content-type': type,
      'cache-control': 'public, max-age=86400',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  })
}
