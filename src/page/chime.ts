/** What a till plays once it is paid. */

const samplesPerS = 8_000
/** In Hz, and from when on, in seconds. Each fades away. */
const notes = [
  { hz: 784, fromS: 0 },
  { hz: 1_175, fromS: 0.14 },
] as const
const lengthS = 0.6

let made: string | undefined

/** Two notes, as the address of a WAV file with 8 bits a sample. */
export function chime(): string {
  made ??= `data:audio/wav;base64,${btoa(String.fromCharCode(...wav()))}`
  return made
}

function wav(): Uint8Array {
  const count = samplesPerS * lengthS
  const bytes = new Uint8Array(44 + count)
  const view = new DataView(bytes.buffer)
  const word = (at: number, text: string) => bytes.set(new TextEncoder().encode(text), at)
  word(0, 'RIFF')
  view.setUint32(4, 36 + count, true)
  word(8, 'WAVEfmt ')
  // Sixteen bytes follow: PCM, one channel, samples and bytes a second, bytes and bits a sample.
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, samplesPerS, true)
  view.setUint32(28, samplesPerS, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  word(36, 'data')
  view.setUint32(40, count, true)
  for (let at = 0; at < count; at += 1) bytes[44 + at] = 128 + Math.round(55 * loudness(at / samplesPerS))
  return bytes
}

function loudness(atS: number): number {
  let sum = 0
  for (const { hz, fromS } of notes)
    if (atS >= fromS) sum += Math.sin(2 * Math.PI * hz * (atS - fromS)) * Math.exp(-7 * (atS - fromS))
  return sum
}
