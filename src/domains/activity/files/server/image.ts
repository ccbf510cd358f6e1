import type { Sharp } from 'sharp'
import { HttpError, validationError } from '#core/http/errors.ts'
import { imageTypeMessage } from '../contract.ts'

const maxImagePixels = 40_000_000
const thumbnailSide = 320

type ImageKind = 'jpeg' | 'png'
type EncodedImage = { data: Buffer; mime: `image/${ImageKind}`; width: number; height: number }

/** Re-encodes an image upright and without metadata, going by its content, not its name. Rejects other files and decompression bombs. */
export async function reencodeImage(bytes: Buffer): Promise<EncodedImage> {
  const kind = bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))
    ? 'jpeg'
    : bytes.subarray(1, 4).toString() === 'PNG'
      ? 'png'
      : null
  if (!kind) throw new HttpError(415, imageTypeMessage, { file: [imageTypeMessage] })
  const sharp = await loadSharp()
  try {
    const image = sharp(bytes, { limitInputPixels: maxImagePixels, failOn: 'error' }).autoOrient()
    const { data, info } = await encodeImage(image, kind).toBuffer({ resolveWithObject: true })
    return { data, mime: `image/${kind}`, width: info.width, height: info.height }
  } catch (error) {
    const tooLarge = error instanceof Error && /pixel limit/.test(error.message)
    throw validationError({ file: [tooLarge ? 'This image has too many pixels' : 'This image cannot be read'] })
  }
}

/** Returns a thumbnail of a stored image, in the same format. */
export async function createThumbnail(data: Buffer, mime: EncodedImage['mime']): Promise<Buffer> {
  const sharp = await loadSharp()
  const small = sharp(data).resize(thumbnailSide, thumbnailSide, { fit: 'inside', withoutEnlargement: true })
  return encodeImage(small, mime === 'image/jpeg' ? 'jpeg' : 'png').toBuffer()
}

const encodeImage = (image: Sharp, kind: ImageKind) => (kind === 'jpeg' ? image.jpeg({ quality: 88 }) : image.png())

/** Loaded with the first image, because its C library is large. */
const loadSharp = async () => (await import('sharp')).default
