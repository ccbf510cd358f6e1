import { getErrorMessage } from '#contract/error-message.ts'
import type { AppContext } from '#domains/app-context.ts'
import { readAgency } from './brand.ts'
import { maxLogoSize } from './logo-upload.ts'

const maxLogoBytes = 2_000_000
const keptMilliseconds = 10 * 60_000

type KeptLogo = { address: string; until: number; image: Promise<Buffer | null> }
const keptLogos = new WeakMap<AppContext, KeptLogo>()

/** Returns the logo as a PNG image; null if there is none, or if it currently cannot be loaded as an image. */
export async function readAgencyLogo(context: AppContext): Promise<Buffer | null> {
  const { logo } = await readAgency(context.db, context.settings)
  if (logo === null) return null
  const kept = keptLogos.get(context)
  if (kept && kept.address === logo && kept.until > Date.now()) return kept.image
  const image = loadLogo(context, logo)
  keptLogos.set(context, { address: logo, until: Date.now() + keptMilliseconds, image })
  return image
}

async function loadLogo(context: AppContext, address: string): Promise<Buffer | null> {
  try {
    const bytes = address.startsWith('data:')
      ? Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
      : await downloadImage(context, address)
    const { default: sharp } = await import('sharp') // large, and an agency without a logo does not need it
    return await sharp(bytes, { limitInputPixels: 20_000_000 })
      .resize({ ...maxLogoSize, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer()
  } catch (error) {
    context.log.warn({ reason: getErrorMessage(error) }, 'agency logo')
    return null
  }
}

async function downloadImage({ outbound }: AppContext, address: string): Promise<Buffer> {
  const response = await outbound.request(address, { milliseconds: 5000, mostBytes: maxLogoBytes })
  const parts: Buffer[] = []
  for await (const part of response.chunks()) parts.push(part)
  return Buffer.concat(parts)
}
