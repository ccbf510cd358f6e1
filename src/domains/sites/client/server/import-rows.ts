import { and, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import {
  buildImportFields,
  type FindUses,
  findByName,
  findChangedSince,
  getFilledCell,
  type ImportDefinition,
  isSameName,
  type LineCells,
  type LineProblem,
  type ParsedLine,
  parseFieldCells,
  toCellProblems,
  writeEach,
} from '#domains/imports/public.ts'
import { unreachableMessage } from '#domains/sites/checks/server/site-registration.ts'
import { type ClientSiteForm, clientSitesContract } from '../contract.ts'
import { clientSiteFields } from '../fields.ts'
import { clientSitesTable } from '../schema.ts'
import { addClientSite, removeClientSite } from './mutations.ts'
import { callRailIdTakenMessage, clientSiteAuditKind } from './store.ts'

type NamedCampaign = { id: number; name: string }

/** The import of client sites. Their first check is scheduled by the row's defaults. */
export const clientSitesImport: ImportDefinition<ClientSiteForm> = {
  atOnce: 100,
  fields: Object.values(buildImportFields(clientSiteFields)),

  open: async (context) => {
    const all = await context.db.select({ id: campaignsTable.id, name: campaignsTable.name }).from(campaignsTable)
    return (cells) => parseClientSiteRow(context, all, cells)
  },

  listNames: async (db, field) =>
    field === 'campaign'
      ? (await db.select({ name: campaignsTable.name }).from(campaignsTable)).map(({ name }) => name)
      : [],

  there: async (db, rows) => {
    const ids = rows.flatMap((row) => row.callrail_campaign_identifier ?? [])
    const found = await db
      .select({ company: clientSitesTable.callrail_campaign_identifier, url: clientSitesTable.url })
      .from(clientSitesTable)
      .where(and(inArray(clientSitesTable.callrail_campaign_identifier, ids), isNull(clientSitesTable.deleted_at)))
    const urls = new Map(found.map(({ company, url }) => [company, url]))
    return rows.map(({ callrail_campaign_identifier: company, url }) => {
      if (!urls.has(company)) return 'fresh'
      return urls.get(company) === url
        ? 'known'
        : [{ field: 'callrail_campaign_identifier', says: callRailIdTakenMessage }]
    })
  },

  write: (tx, by, rows) => writeEach(tx, rows, (inner, row) => addClientSite(inner, by, row)),

  remove: async (tx, by, ids, findUses) => {
    const kept = await findClientSitesInUse(tx, ids, findUses)
    for (const id of ids) if (!kept.has(id)) await removeClientSite(tx, by, id)
    return kept
  },
}

function parseClientSiteRow(
  context: AppContext,
  all: NamedCampaign[],
  cells: LineCells,
): ParsedLine<ClientSiteForm> | { wrong: LineProblem[] } {
  const wanted = getFilledCell(cells, 'campaign')
  const campaign = wanted && findByName('campaign', wanted, all, ({ name }) => isSameName(name, wanted))
  const parsed = clientSitesContract.create.body.safeParse({
    ...parseFieldCells(clientSiteFields, cells),
    // A campaign that is not found has its own message below.
    campaign_id: typeof campaign === 'object' ? campaign.id : wanted && 1,
    callrail_signing_key: cells.callrail_signing_key,
  })
  const wrong: LineProblem[] = parsed.success ? [] : toCellProblems(parsed.error).map(toCellError)
  if (typeof campaign === 'string' && campaign !== '') wrong.push({ field: 'campaign', says: campaign })
  if (parsed.success && !context.outbound.couldReach(new URL(parsed.data.url)))
    wrong.push({ field: 'url', says: unreachableMessage })
  if (!parsed.success || wrong.length > 0) return { wrong }
  return { row: parsed.data, names: [parsed.data.callrail_campaign_identifier].filter((id) => id !== null) }
}

const toCellError = ({ field, says }: LineProblem): LineProblem => ({
  field: field === 'campaign_id' ? 'campaign' : field,
  says,
})

/** Returns the sites that were changed since the import or that other rows refer to, with the reason. */
async function findClientSitesInUse(tx: Tx, ids: number[], findUses: FindUses): Promise<Map<number, string>> {
  await tx
    .select({ id: clientSitesTable.id })
    .from(clientSitesTable)
    .where(inArray(clientSitesTable.id, ids))
    .orderBy(clientSitesTable.id)
    .for('update')
  const changed = await findChangedSince(tx, clientSiteAuditKind, 'this site', ids)
  return new Map([...(await findUses()), ...changed])
}
