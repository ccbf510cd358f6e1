import sharp from 'sharp'
import { invalid, Refusal } from '#server/errors.ts'

const maxPixels = 40_000_000
const onlyImages = 'Only jpeg and png images can be uploaded'

/** The image again, by its content and not its name, without metadata, upright. Refuses what is none, or is a bomb. */
export async function reencode(
  bytes: Buffer,
): Promise<{ data: Buffer; mime: 'image/jpeg' | 'image/png'; width: number; height: number }> {
  const kind = bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))
    ? 'jpeg'
    : bytes.subarray(1, 4).toString() === 'PNG'
      ? 'png'
      : null
  if (!kind) throw new Refusal(415, onlyImages, { file: [onlyImages] })
  try {
    const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' }).autoOrient()
    const { data, info } = await (kind === 'jpeg' ? image.jpeg({ quality: 88 }) : image.png()).toBuffer({
      resolveWithObject: true,
    })
    return { data, mime: `image/${kind}`, width: info.width, height: info.height }
  } catch (error) {
    const tooLarge = error instanceof Error && /pixel limit/.test(error.message)
    throw invalid({ file: [tooLarge ? 'This image has too many pixels' : 'This image cannot be read'] })
  }
}
