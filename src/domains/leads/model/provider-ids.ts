import { sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { HttpError } from '#core/http/errors.ts'
import { findHoldings } from '../callrail/server/company-sites.ts'
import type { StoredLead } from './dto.ts'
import { lockKeys } from './lock-keys.ts'
import { leadsTable } from './schema.ts'

/** A lead's id at its provider. */
export type LeadProviderId = Pick<StoredLead, 'lead_s' | 'lead_id'>

export const numberKey = ({ lead_s, lead_id }: LeadProviderId) => `${lead_s} ${lead_id}`

/**
 * Which sender a number belongs to. A number from one company's hook must not touch another company's lead, so two companies may
 * send the same number, each for its own lead. Leads that people add or files import have no origin.
 */
export const siteOrigin = (clientSiteId: number) => `site/${clientSiteId}`
/** CallRail's company, as long as no client site has it: its leads wait for a campaign. */
export const companyOrigin = (companyId: string) => `company/${companyId}`
export const sourceOrigin = (sourceId: number) => `source/${sourceId}`

/** CallRail's company of a lead. */
export type LeadCompany = {
  id: string
  /** CallRail itself, or the system that is moved from, has named the lead: CallRail's ids are never used twice, so the id alone tells. */
  isListed: boolean
}

/** The company of a lead whose company is not known: CallRail's ids tell without it. */
export const anyCompany: LeadCompany = { id: '', isListed: true }

/** A number with its origin, and where its lead would be stored. */
export type LeadNumber = LeadProviderId &
  Pick<StoredLead, 'origin' | 'campaign_id' | 'clientsite_id'> & { company?: LeadCompany | undefined }

export const providerIdKey = ({ origin = '', ...name }: LeadProviderId & { origin?: string | undefined }) =>
  origin === '' ? numberKey(name) : `${origin} ${numberKey(name)}`

/**
 * Locks these numbers until the transaction ends; check which are taken afterwards. The unique index is not enough: where leads
 * are sharded, it only holds within a campaign.
 */
export const lockProviderIds = (tx: Tx, names: LeadProviderId[]): Promise<void> =>
  lockKeys(
    tx,
    names.map((name) => `lead ${numberKey(name)}`),
  )

/** Returns which of these numbers are taken by a lead of any company, as `numberKey` spells them. */
export async function findTakenProviderIds(db: DbOrTx, names: LeadProviderId[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const found = await db
    .select({ lead_s: leadsTable.lead_s, lead_id: leadsTable.lead_id })
    .from(leadsTable)
    .where(providerIdCondition(names))
  return new Set(found.map(numberKey))
}

/** Returns the leads with these numbers, by `providerIdKey`. */
export async function findKnownLeads(db: DbOrTx, numbers: LeadNumber[]): Promise<Map<string, StoredLead>> {
  const known = new Map<string, StoredLead>()
  if (numbers.length === 0) return known
  const rows = await db.select().from(leadsTable).where(providerIdCondition(numbers))
  const byNumber = Map.groupBy(rows, numberKey)
  const unmatched: LeadNumber[] = []
  for (const number of numbers) {
    const same = byNumber.get(numberKey(number)) ?? []
    const lead = same.find(({ origin }) => origin === number.origin) ?? same.find((row) => isSameLead(row, number))
    if (lead) known.set(providerIdKey(number), lead)
    else if (same.length > 0) unmatched.push(number)
  }
  const origins = await findCompanyOrigins(
    db,
    unmatched.flatMap(({ company }) => company?.id ?? []),
  )
  for (const number of unmatched) {
    const own = origins.get(number.company?.id ?? '')
    const lead = byNumber.get(numberKey(number))?.find(({ origin }) => own?.has(origin))
    if (lead) known.set(providerIdKey(number), lead)
  }
  return known
}

/** Returns the origins under which leads of CallRail's companies may be known: their own, and of each client site that ever had them. */
export async function findCompanyOrigins(db: DbOrTx, companies: string[]): Promise<Map<string, Set<string>>> {
  const origins = new Map(companies.map((id) => [id, new Set<string>()]))
  for (const { company, spelled, site } of await findHoldings(db, companies)) {
    origins.get(company)?.add(companyOrigin(spelled))
    if (site !== null) origins.get(company)?.add(siteOrigin(site))
  }
  return origins
}

/**
 * A number without an origin matches every lead that has it, and so does one of a company without a client site: CallRail's ids are unique
 * across companies. A lead without an origin matches by its site or its campaign.
 */
function isSameLead(row: Pick<StoredLead, 'origin' | 'campaign_id' | 'clientsite_id'>, number: LeadNumber): boolean {
  const { origin, company } = number
  if (origin === '' || row.origin === origin || company?.isListed) return true
  if (company && origin === companyOrigin(company.id)) return true
  if (row.origin !== '') return false
  return row.clientsite_id === null
    ? row.campaign_id === number.campaign_id
    : row.clientsite_id === number.clientsite_id
}

export function providerIdCondition(names: LeadProviderId[]) {
  const wanted = JSON.stringify(names.map(({ lead_s, lead_id }) => ({ lead_s, lead_id })))
  return sql`(${leadsTable.lead_s}, ${leadsTable.lead_id}) in (
    select lead_s, lead_id from json_to_recordset(${wanted}) one (lead_s text, lead_id text))`
}

/** Throws 409 if a lead other than `own` has the number. The caller has locked the number. */
export async function assertProviderIdFree(tx: Tx, name: LeadProviderId, own: number): Promise<void> {
  const rows = await tx
    .select({ id: leadsTable.id })
    .from(leadsTable)
    .where(providerIdCondition([name]))
  if (rows.some(({ id }) => id !== own)) throw providerIdTakenError()
}

export const providerIdTakenError = () =>
  new HttpError(409, providerIdTakenMessage, { lead_id: [providerIdTakenMessage] })
const providerIdTakenMessage = 'There already is a lead with this source and ID'
