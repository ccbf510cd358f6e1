import { and, inArray, isNull } from 'drizzle-orm'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import {
  buildImportFields,
  type ImportDefinition,
  type LineCells,
  type LineProblem,
  type ParsedLine,
  parseFieldCells,
  readNamedId,
  removeUnchanged,
  toCellProblems,
  writeEach,
} from '#domains/imports/public.ts'
import { unreachableMessage } from '#domains/sites/checks/server/site-registration.ts'
import { type ClientSiteForm, clientSitesContract } from '../contract.ts'
import { clientSiteFields } from '../fields.ts'
import { clientSitesTable } from '../schema.ts'
import { addClientSite, takeBackClientSite } from './mutations.ts'
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

  remove: (tx, by, ids, findUses) =>
    removeUnchanged(
      tx,
      ids,
      { table: clientSitesTable, kind: clientSiteAuditKind, thing: 'this site', findUses },
      (id) => takeBackClientSite(tx, by, id),
    ),
}

function parseClientSiteRow(
  context: AppContext,
  all: NamedCampaign[],
  cells: LineCells,
): ParsedLine<ClientSiteForm> | { wrong: LineProblem[] } {
  const campaign = readNamedId('campaign', cells, all)
  const parsed = clientSitesContract.create.body.safeParse({
    ...parseFieldCells(clientSiteFields, cells),
    campaign_id: campaign.id,
    callrail_signing_key: cells.callrail_signing_key,
  })
  const wrong = [...(parsed.success ? [] : toCellProblems(parsed.error)), ...campaign.wrong]
  if (parsed.success && !context.outbound.couldReach(new URL(parsed.data.url)))
    wrong.push({ field: 'url', says: unreachableMessage })
  if (!parsed.success || wrong.length > 0) return { wrong }
  return { row: parsed.data, names: [parsed.data.callrail_campaign_identifier].filter((id) => id !== null) }
}
