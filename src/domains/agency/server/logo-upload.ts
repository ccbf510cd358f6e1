import { HttpError, validationError } from '#core/http/errors.ts'
import { logoTypeMessage } from '../contract.ts'
import { findUnsafeSvgPart } from './svg-safety.ts'

const maxLogoSize = { width: 640, height: 200 }
const maxPixels = 20_000_000
const maxSeconds = 10

/** Makes a PNG image of a logo, going by its content, not its name. The file itself is not kept. */
export async function convertLogo(bytes: Buffer, { allowGif = false } = {}): Promise<Buffer> {
  const isSvg = looksLikeSvg(bytes)
  if (!isSvg && !isKnownImage(bytes) && !(allowGif && startsWith(bytes, 'GIF8')))
    throw new HttpError(415, logoTypeMessage, { file: [logoTypeMessage] })
  const unsafe = isSvg ? findUnsafeSvgPart(bytes) : null
  if (unsafe) throw validationError({ file: [unsafe] })
  const { default: sharp } = await import('sharp') // large, and an agency without a logo does not need it
  try {
    const drawn = isSvg && { density: findDensity(await sharp(bytes, { limitInputPixels: false }).metadata()) }
    return await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', ...drawn })
      .timeout({ seconds: maxSeconds })
      .autoOrient()
      .resize({ ...maxLogoSize, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer()
  } catch (error) {
    const isTooLarge = error instanceof Error && /pixel limit|density/.test(error.message)
    throw validationError({ file: [isTooLarge ? 'This image has too many pixels' : 'This image cannot be read'] })
  }
}

/** Returns the pixels per inch with which an SVG fills the room of a logo: its own size says nothing of its pixels. */
const findDensity = ({ width, height }: { width: number; height: number }) =>
  72 * Math.min(maxLogoSize.width / width, maxLogoSize.height / height)

const startsWith = (bytes: Buffer, sign: string, at = 0) =>
  bytes.subarray(at, at + sign.length).equals(Buffer.from(sign, 'latin1'))

const isKnownImage = (bytes: Buffer) =>
  startsWith(bytes, '\x89PNG\r\n\x1a\n') ||
  startsWith(bytes, '\xff\xd8\xff') ||
  (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8))

/** Markup that names an SVG image; whether it is one, and a safe one, is checked after. */
const looksLikeSvg = (bytes: Buffer) =>
  /^[\s\ufeff]*</.test(bytes.toString('utf8', 0, 64)) && /<svg[\s>]/i.test(bytes.toString('utf8'))
