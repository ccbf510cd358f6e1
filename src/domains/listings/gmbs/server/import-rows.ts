import { and, inArray, isNull } from 'drizzle-orm'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import {
  buildImportFields,
  getFilledCell,
  type ImportDefinition,
  isSameName,
  parseFieldCells,
  readNamedId,
  removeUnchanged,
  toCellProblems,
  writeEach,
} from '#domains/imports/public.ts'
import { type GmbForm, gmbsContract } from '../contract.ts'
import { gmbFields } from '../fields.ts'
import { gmbStatuses } from '../labels.ts'
import { getCid, normalizeMapsLink } from '../maps-link.ts'
import { gmbsTable } from '../schema.ts'
import { addGmb, removeGmb } from './mutations.ts'
import { gmbAuditKind } from './store.ts'

const namedCampaign = { id: campaignsTable.id, name: campaignsTable.name }
const findStatus = (wanted: string) =>
  gmbStatuses.find(({ id, name }) => isSameName(name, wanted) || String(id) === wanted)?.id ?? wanted

/** The import of listings. Their first check is scheduled by the row's defaults. */
export const gmbsImport: ImportDefinition<GmbForm> = {
  atOnce: 100,
  fields: Object.values(buildImportFields(gmbFields)),

  open: async ({ db }) => {
    const all = await db.select(namedCampaign).from(campaignsTable)
    return (cells) => {
      const campaign = readNamedId('campaign', cells, all)
      const status = getFilledCell(cells, 'status')
      const parsed = gmbsContract.create.body.safeParse({
        ...parseFieldCells(gmbFields, cells),
        link: normalizeMapsLink(cells.link ?? ''),
        status: status && findStatus(status),
        campaign_id: campaign.id,
      })
      const wrong = [...(parsed.success ? [] : toCellProblems(parsed.error)), ...campaign.wrong]
      return parsed.success && wrong.length === 0 ? { row: parsed.data, names: [toListingKey(parsed.data)] } : { wrong }
    }
  },

  listNames: async (db, field) =>
    field === 'campaign' ? (await db.select(namedCampaign).from(campaignsTable)).map(({ name }) => name) : [],

  there: async (db, rows) => {
    const found = await db
      .select({ link: gmbsTable.link, cid: gmbsTable.cid, campaign_id: gmbsTable.campaign_id })
      .from(gmbsTable)
      .where(
        and(
          inArray(
            gmbsTable.campaign_id,
            rows.map(({ campaign_id }) => campaign_id),
          ),
          isNull(gmbsTable.deleted_at),
        ),
      )
    const keys = new Set(found.map(({ cid, link, campaign_id }) => `${campaign_id} ${cid ?? link}`))
    return rows.map((row) => (keys.has(toListingKey(row)) ? 'known' : 'fresh'))
  },

  write: (tx, by, rows) => writeEach(tx, rows, (inner, row) => addGmb(inner, by, row)),

  remove: (tx, by, ids, findUses) =>
    removeUnchanged(tx, ids, { table: gmbsTable, kind: gmbAuditKind, thing: 'this listing', findUses }, (id) =>
      removeGmb(tx, by, id),
    ),
}

/** By its number: a link may be stored in another form. */
const toListingKey = ({ link, campaign_id }: GmbForm) => `${campaign_id} ${getCid(link) ?? link}`
