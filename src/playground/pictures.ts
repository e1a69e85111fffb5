/**
 * Pictures from a server that is in the page: an `img` asks the network, which knows nothing of it.
 */

/**
 * Makes every `img` of this page take pictures of the server from `fetchPicture`.
 *
 * @param isOurs - Whether the server has what is at this address.
 */
export function servePictures(isOurs: (url: URL) => boolean, fetchPicture: (url: URL) => Promise<Response>): void {
  const { prototype } = HTMLImageElement
  const source = Object.getOwnPropertyDescriptor(prototype, 'src')
  if (!source?.set) throw new Error('This browser does not say how pictures are loaded')
  const setSource = source.set
  const load = async (image: HTMLImageElement, url: URL) => {
    const response = await fetchPicture(url)
    if (response.ok) setSource.call(image, URL.createObjectURL(await response.blob()))
    else image.dispatchEvent(new Event('error'))
  }
  Object.defineProperty(prototype, 'src', {
    ...source,
    set(this: HTMLImageElement, value: string) {
      const url = new URL(value, location.href)
      if (isOurs(url)) void load(this, url)
      else setSource.call(this, value)
    },
  })
  const setAttribute = prototype.setAttribute
  prototype.setAttribute = function (this: HTMLImageElement, name: string, value: string) {
    if (name === 'src') this.src = value
    else setAttribute.call(this, name, value)
  }
}
