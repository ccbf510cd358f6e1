import { and, inArray, isNull } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import type { Tx } from '#core/db/db.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { filled, named, wrongIn } from '#domains/imports/server/cells.ts'
import type { Cells, Importable, Understood, Wrong } from '#domains/imports/server/importable.ts'
import { changedSince, writeEach } from '#domains/imports/server/write-rows.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { unreachable } from '#domains/sites/checks/server/site-registration.ts'
import { type ClientSiteForm, clientSites as contract } from '../contract.ts'
import { clientSites } from '../schema.ts'
import { addSite, kind, removeSite, takenLine } from './mutations.ts'

type Campaign = { id: number; name: string }

/** Client sites; their first check comes by itself. */
export const clientSitesImport: Importable<ClientSiteForm> = {
  atOnce: 100,
  fields: [
    { name: 'url', label: 'URL', required: true, also: ['address', 'site', 'website', 'domain'] },
    {
      name: 'callrail_campaign_identifier',
      label: 'CallRail Company ID',
      required: true,
      also: ['callrail', 'callrail id', 'company id'],
    },
    {
      name: 'campaign',
      label: 'Campaign',
      required: true,
      also: ['campaign_id', 'campaign name'],
      about: 'Its name or number',
    },
    { name: 'callrail_signing_key', label: 'CallRail Signing Key', also: ['signing key'] },
  ],

  open: async (house) => {
    const all = await house.db.select({ id: campaigns.id, name: campaigns.name }).from(campaigns)
    return (cells) => understand(house, all, cells)
  },

  there: async (db, rows) => {
    const ids = rows.map((row) => row.callrail_campaign_identifier)
    const found = await db
      .select({ company: clientSites.callrail_campaign_identifier, url: clientSites.url })
      .from(clientSites)
      .where(and(inArray(clientSites.callrail_campaign_identifier, ids), isNull(clientSites.deleted_at)))
    const urls = new Map(found.map(({ company, url }) => [company, url]))
    return rows.map(({ callrail_campaign_identifier: company, url }) => {
      if (!urls.has(company)) return 'fresh'
      return urls.get(company) === url ? 'known' : [{ field: 'callrail_campaign_identifier', says: takenLine }]
    })
  },

  write: (tx, by, rows) => writeEach(tx, rows, (inner, row) => addSite(inner, by, row)),

  remove: async (tx, by, ids) => {
    const kept = await inUse(tx, ids)
    for (const id of ids) if (!kept.has(id)) await removeSite(tx, by, id)
    return kept
  },
}

function understand(house: House, all: Campaign[], cells: Cells): Understood<ClientSiteForm> | { wrong: Wrong[] } {
  const wanted = filled(cells, 'campaign')
  const campaign = wanted && named('campaign', wanted, all, ({ name }) => name.toLowerCase() === wanted.toLowerCase())
  const parsed = contract.create.body.safeParse({
    url: cells.url,
    callrail_campaign_identifier: cells.callrail_campaign_identifier,
    // Said below in its own words.
    campaign_id: typeof campaign === 'object' ? campaign.id : wanted && 1,
    callrail_signing_key: cells.callrail_signing_key,
  })
  const wrong: Wrong[] = parsed.success ? [] : wrongIn(parsed.error).map(asCell)
  if (typeof campaign === 'string' && campaign !== '') wrong.push({ field: 'campaign', says: campaign })
  if (parsed.success && !house.outbound.couldReach(new URL(parsed.data.url)))
    wrong.push({ field: 'url', says: unreachable })
  if (!parsed.success || wrong.length > 0) return { wrong }
  return { row: parsed.data, names: [parsed.data.callrail_campaign_identifier] }
}

const asCell = ({ field, says }: Wrong): Wrong => ({ field: field === 'campaign_id' ? 'campaign' : field, says })

/** Those that somebody has changed, or that leads came through. */
async function inUse(tx: Tx, ids: number[]): Promise<Map<number, string>> {
  await tx
    .select({ id: clientSites.id })
    .from(clientSites)
    .where(inArray(clientSites.id, ids))
    .orderBy(clientSites.id)
    .for('update')
  const changed = await changedSince(tx, kind, 'this site', ids)
  const used = await tx.selectDistinct({ id: leads.clientsite_id }).from(leads).where(inArray(leads.clientsite_id, ids))
  return new Map([
    ...used.flatMap(({ id }): [number, string][] => (id === null ? [] : [[id, 'Leads came through it']])),
    ...changed,
  ])
}
