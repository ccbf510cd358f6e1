import type { DbOrTx } from '#core/db/db.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import type { AppSettings } from '#core/settings/settings.ts'
import type { Agency, AgencyBrand } from '../contract.ts'
import { agencyTable } from '../schema.ts'

/** Reads what super admins entered; the settings as long as they have not. */
export async function readAgency(db: DbOrTx, settings: AppSettings): Promise<Agency> {
  const [stored] = await db
    .select({ name: agencyTable.name, color: agencyTable.color, logo: agencyTable.logo })
    .from(agencyTable)
  return stored ?? { name: settings.AGENCY_NAME, color: settings.AGENCY_COLOR, logo: settings.AGENCY_LOGO ?? null }
}

/** The same for emails, whose readers are elsewhere: the address of the logo is whole. */
export async function readEmailBrand(db: DbOrTx, settings: AppSettings): Promise<AgencyBrand> {
  const { logo, ...rest } = await readAgencyBrand(db, settings)
  return { ...rest, logo: logo && `${settings.PUBLIC_URL}${logo}` }
}

/** Reads what clients see. The address of the logo changes with the logo, so that browsers may keep the image. */
export async function readAgencyBrand(db: DbOrTx, settings: AppSettings): Promise<AgencyBrand> {
  const { logo, ...rest } = await readAgency(db, settings)
  return { ...rest, logo: logo === null ? null : `/api/agency/logo?v=${hashSha256(logo).toString('hex').slice(0, 12)}` }
}
