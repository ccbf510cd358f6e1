import { getTableColumns } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import type { AppSettings } from '#domains/app-settings.ts'
import { computeAgencyColors } from '../colors.ts'
import type { Agency, AgencyBrand } from '../contract.ts'
import { agencyTable } from '../schema.ts'

/** Reads the brand that super admins entered, or else the one from the settings. */
export async function readAgency(db: DbOrTx, settings: AppSettings): Promise<Agency> {
  const { id: _, ...columns } = getTableColumns(agencyTable)
  const [stored] = await db.select(columns).from(agencyTable)
  return (
    stored ?? {
      name: settings.AGENCY_NAME,
      color: settings.AGENCY_COLOR,
      logo: settings.AGENCY_LOGO ?? null,
      address_lines: [],
      terms_days: 30,
      email: null,
      version: 1,
    }
  )
}

/** Returns the headers of an email to a client: answers go to the agency, if it has an address for them. */
export async function readReplyHeaders(db: DbOrTx, settings: AppSettings): Promise<Record<string, string>> {
  const { email } = await readAgency(db, settings)
  return email === null ? {} : { 'Reply-To': email }
}

/** Reads the brand for emails, with an absolute logo URL, and with the color in which text on white can be read. */
export async function readEmailBrand(db: DbOrTx, settings: AppSettings): Promise<AgencyBrand> {
  const { name, color, logo } = await readAgencyBrand(db, settings)
  return { name, color: computeAgencyColors(color).onLight, logo: logo && `${settings.PUBLIC_URL}${logo}` }
}

/** Reads the brand that clients see. The logo URL changes with the logo, so that browsers may cache the image. */
export async function readAgencyBrand(db: DbOrTx, settings: AppSettings): Promise<AgencyBrand> {
  const { name, color, logo } = await readAgency(db, settings)
  return {
    name,
    color,
    logo: logo === null ? null : `/api/agency/logo?v=${hashSha256(logo).toString('hex').slice(0, 12)}`,
  }
}
