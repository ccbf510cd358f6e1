import { and, desc, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import { z } from 'zod'
import { getToday } from '#contract/days.ts'
import { idField } from '#contract/fields.ts'
import type { Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { conflictError } from '#core/http/errors.ts'
import { campaignFormSchema } from '#domains/campaigns/contract.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { createCampaign } from '#domains/campaigns/server/mutations.ts'
import { clientFormSchema } from '#domains/clients/contract.ts'
import { toListedZone } from '#domains/clients/labels.ts'
import { addClient } from '#domains/clients/server/mutations.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { assignCompanyLeads, moveLead } from '#domains/leads/public.ts'
import { type CompanyPayload, type KindWriter, type MoveCaller, toLinkDomain } from '#domains/moves/public.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { addClientSite } from '#domains/sites/client/server/mutations.ts'
import { updateClientSiteRow } from '#domains/sites/client/server/store.ts'
import { movedCampaign, movedClient } from './clients-and-campaigns.ts'
import { movedClientSite } from './sites.ts'

type Company = CompanyPayload & { client: { id: number | string } | null }
/** The client site that a company has got. */
type CompanyPlace = {
  clientsite_id: number
  /** What was set in a site that was here already, with the earlier values; null for a new site. */
  before: { callrail_campaign_identifier?: null; campaign_id?: null } | null
  /** Leads that had no campaign. */
  leads: number[]
}
type MadeCompany = { client_id: number | null; place: CompanyPlace | null }

/** A company becomes part of a campaign, by its id at one of the campaign's client sites; or else a client, a campaign and a site. */
export const movedCallRailCompany: KindWriter = {
  write: async (tx, by, { label, payload }, lookup) => {
    const company = payload as Company // as the plan has written it
    const known = company.client && (await findClient(company.client.id, lookup.findItem))
    const timezone = toListedZone(company.timezone)
    const made = known === null ? await addClient(tx, by.actor, newClientSchema.parse({ name: label, timezone })) : null
    const client_id = known ?? made!
    const start_date = getToday(by.context.settings.AGENCY_TIMEZONE)
    const form = { client_id, name: label, categories: [], manager: '', start_date, due_date: 1, initial_target: 0 }
    const id = await createCampaign(tx, by, newCampaignSchema.parse(form))
    if (timezone) await tx.update(campaignsTable).set({ timezone }).where(eq(campaignsTable.id, id))
    const place = await placeCompany(tx, by, id, company)
    const kept = place
      ? undefined
      : `No client site, so the calls of this company stay unassigned: ${describeNoSite(company)}`
    return { id, made: { client_id: made, place } satisfies MadeCompany, kept }
  },

  complete: async (tx, by, campaignId, { payload }) => {
    const company = payload as Company // as the plan has written it
    const place = await placeCompany(tx, by, campaignId, company)
    if (place === null) throw conflictError(`The calls of this company stay unassigned: ${describeNoSite(company)}`)
    const isChanged = place.before === null || Object.keys(place.before).length > 0 || place.leads.length > 0
    return isChanged ? place : null
  },

  restore: async (tx, by, campaignId, values) => {
    const { clientsite_id, before, leads } = values as CompanyPlace // as `complete` has returned it
    for (const id of leads) await takeBackLead(tx, by, id, campaignId)
    if (before === null) return removeAddedSite(tx, by, clientsite_id)
    const [site] = await tx.select().from(clientSitesTable).where(eq(clientSitesTable.id, clientsite_id)).for('update')
    // A campaign or id that a person has set since stays.
    if (site?.deleted_at === null && site.campaign_id === campaignId && Object.keys(before).length > 0)
      await updateClientSiteRow(tx, withoutPerson(by), site, { shown: before })
    return null
  },

  remove: async (tx, by, id, undo) => {
    const { client_id, place } = undo.made as MadeCompany // as `write` has returned it
    const require = (reason: string | null) => {
      // All of it stays, or none.
      if (reason !== null) throw conflictError(reason)
    }
    if (place?.before === null) require(await removeAddedSite(tx, by, place.clientsite_id))
    else if (place) await movedCallRailCompany.restore!(tx, by, id, place)
    require(await movedCampaign.remove(tx, by, id, undo))
    if (client_id !== null) require(await movedClient.remove(tx, by, client_id, undo))
    return null
  },
}

/** The site may have come with the same move: what the move sets in it later must not count as a person's change. The request says whose it was. */
const withoutPerson = ({ actor }: MoveCaller): MoveCaller['actor'] => ({ ...actor, me: null })

/** CallRail knows no emails: a new client has no account yet. */
const newClientSchema = clientFormSchema.omit({ password: true, user: true })
const newCampaignSchema = campaignFormSchema.extend({ categories: z.array(idField), manager: z.string() })

function findClient(id: number | string, findItem: (key: string) => number | null): number {
  const found = typeof id === 'number' ? id : findItem(id)
  if (found === null) throw conflictError('The client was not moved')
  return found
}

const describeNoSite = ({ ids }: Company) => `add a client site with the CallRail Company ID ${ids[0]} to its campaign`

/**
 * Enters a company at a client site of a campaign: one that has its id already, or else one without an id that has its domain, or else the
 * only one without an id, or else a new one. Returns null if no website of it is known for a new one.
 */
async function placeCompany(
  tx: Tx,
  by: MoveCaller,
  campaign_id: number,
  { ids, domains, url }: Company,
): Promise<CompanyPlace | null> {
  const { callrail_campaign_identifier, campaign_id: campaign, deleted_at, id } = clientSitesTable
  const sites = await tx
    .select()
    .from(clientSitesTable)
    .where(and(isNull(deleted_at), or(eq(campaign, campaign_id), inArray(callrail_campaign_identifier, ids))))
    .orderBy(id)
    .for('update')
  const taken = sites.find((site) => ids.includes(site.callrail_campaign_identifier ?? ''))
  if (taken && taken.campaign_id !== null && taken.campaign_id !== campaign_id)
    throw conflictError(`The client site ${taken.url} of another campaign has this CallRail Company ID`)
  const free = sites.filter((site) => site.callrail_campaign_identifier === null)
  const like = free.find((site) => domains.includes(toLinkDomain(site.url) ?? ''))
  const site = taken ?? like ?? (free.length === 1 ? free[0] : undefined)
  if (!site && url === null) return null
  const callRailId = ids[0]!
  const before = site && {
    ...(site.callrail_campaign_identifier === null && { callrail_campaign_identifier: null }),
    ...(site.campaign_id === null && { campaign_id: null }),
  }
  if (site && Object.keys(before!).length > 0)
    await updateClientSiteRow(tx, withoutPerson(by), site, {
      shown: { campaign_id, callrail_campaign_identifier: site.callrail_campaign_identifier ?? callRailId },
    })
  const form = { url: url!, campaign_id, callrail_campaign_identifier: callRailId, forms_only: false }
  const clientsite_id = site?.id ?? (await addClientSite(tx, by, form))
  const zone = by.context.settings.AGENCY_TIMEZONE
  const leads = await assignCompanyLeads(tx, { actor: by.actor, zone }, { companies: ids, clientsite_id, campaign_id })
  return { clientsite_id, before: before ?? null, leads }
}

/** Removes a site that the move has added. Returns why it stays. */
const removeAddedSite = (tx: Tx, by: MoveCaller, id: number): Promise<string | null> =>
  movedClientSite.remove(tx, by, id, { stays: async () => false, made: null })

/** Takes a lead back that the move has given to a campaign, unless a person has changed it since. */
async function takeBackLead(tx: Tx, { actor, context }: MoveCaller, id: number, campaignId: number): Promise<void> {
  const { kind, row_id, user_id, after } = auditTable
  const [last] = await tx
    .select({ after })
    .from(auditTable)
    .where(and(eq(kind, 'lead'), eq(row_id, id), isNotNull(user_id)))
    .orderBy(desc(auditTable.id))
    .limit(1)
  if (last?.after?.campaign_id !== campaignId) return
  const by = { actor, zone: context.settings.AGENCY_TIMEZONE }
  await moveLead(tx, by, { id, from: campaignId, to: noCampaignId, keepsSite: false, before: async () => {} })
}
