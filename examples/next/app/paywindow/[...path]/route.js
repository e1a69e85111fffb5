// Everything that the widget asks. Imported with the first request, because a build has no service to ask.
async function answer(request) {
  const { paywindow } = await import('../../../payments.js')
  return paywindow.fetch(request)
}

export { answer as GET, answer as POST, answer as PUT, answer as DELETE, answer as OPTIONS }
