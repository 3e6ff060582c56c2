import pixelmatch from 'pixelmatch'
import UPNG from 'upng-js'

/** Colours of a picture; what a page shows has hardly more that can be told apart. */
const COLOURS = 64

/** The same picture with a palette, which makes it much smaller. */
export function paletted(png: Buffer): Buffer {
  const { width, height, pixels } = decoded(png)
  return Buffer.from(UPNG.encode([pixels.buffer as ArrayBuffer], width, height, COLOURS))
}

/** Which share of the pixels looks different; all of them, where the sizes differ. */
export function shareOfDifferent(one: Buffer, other: Buffer): number {
  const [a, b] = [decoded(one), decoded(other)]
  if (a.width !== b.width || a.height !== b.height) return 1
  return pixelmatch(a.pixels, b.pixels, undefined, a.width, a.height) / (a.width * a.height)
}

function decoded(png: Buffer): { width: number; height: number; pixels: Uint8Array } {
  const image = UPNG.decode(png.buffer.slice(png.byteOffset, png.byteOffset + png.byteLength) as ArrayBuffer)
  const [frame = new ArrayBuffer(0)] = UPNG.toRGBA8(image)
  return { width: image.width, height: image.height, pixels: new Uint8Array(frame) }
}
