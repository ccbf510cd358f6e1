import sharp, { type Sharp } from 'sharp'
import { invalid, Refusal } from '#core/http/errors.ts'
import { onlyImages } from '../contract.ts'

const maxPixels = 40_000_000
const smallSide = 320

type Kind = 'jpeg' | 'png'
type Image = { data: Buffer; mime: `image/${Kind}`; width: number; height: number }

/** The image again, by its content and not its name, without metadata, upright. Refuses what is none, or is a bomb. */
export async function reencode(bytes: Buffer): Promise<Image> {
  const kind = bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))
    ? 'jpeg'
    : bytes.subarray(1, 4).toString() === 'PNG'
      ? 'png'
      : null
  if (!kind) throw new Refusal(415, onlyImages, { file: [onlyImages] })
  try {
    const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' }).autoOrient()
    const { data, info } = await encode(image, kind).toBuffer({ resolveWithObject: true })
    return { data, mime: `image/${kind}`, width: info.width, height: info.height }
  } catch (error) {
    const tooLarge = error instanceof Error && /pixel limit/.test(error.message)
    throw invalid({ file: [tooLarge ? 'This image has too many pixels' : 'This image cannot be read'] })
  }
}

/** A small one of an image of ours, of the same kind. */
export function shrink(data: Buffer, mime: Image['mime']): Promise<Buffer> {
  const small = sharp(data).resize(smallSide, smallSide, { fit: 'inside', withoutEnlargement: true })
  return encode(small, mime === 'image/jpeg' ? 'jpeg' : 'png').toBuffer()
}

const encode = (image: Sharp, kind: Kind) => (kind === 'jpeg' ? image.jpeg({ quality: 88 }) : image.png())
