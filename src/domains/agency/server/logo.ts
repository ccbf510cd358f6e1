import { getErrorMessage } from '#contract/error-message.ts'
import { HttpError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { readAgency } from './brand.ts'
import { convertLogo } from './logo-upload.ts'

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
    return await convertLogo(bytes, { allowGif: true })
  } catch (error) {
    const reason = error instanceof HttpError ? error.errors?.file?.join() : getErrorMessage(error)
    context.log.warn({ reason }, 'agency logo')
    return null
  }
}

async function downloadImage({ outbound }: AppContext, address: string): Promise<Buffer> {
  const response = await outbound.request(address, { milliseconds: 5000, mostBytes: maxLogoBytes })
  const parts: Buffer[] = []
  for await (const part of response.chunks()) parts.push(part)
  return Buffer.concat(parts)
}
