import {
  buildImportFields,
  type ImportDefinition,
  markKnownRows,
  parseFieldCells,
  readNamedId,
  removeUnchanged,
  toCellProblems,
  writeEach,
} from '#domains/imports/public.ts'
import { networkCategoriesTable } from '#domains/sites/categories/schema.ts'
import { unreachableMessage } from '#domains/sites/checks/server/site-registration.ts'
import { type NetworkSiteForm, networkSitesContract } from '../contract.ts'
import { networkSiteFields } from '../fields.ts'
import { networkSitesTable } from '../schema.ts'
import { addNetworkSite, networkSiteAuditKind, removeNetworkSite } from './mutations.ts'

const namedCategory = { id: networkCategoriesTable.id, name: networkCategoriesTable.name }

/** The import of network sites. Their first check and crawl are scheduled by the row's defaults. */
export const networkSitesImport: ImportDefinition<NetworkSiteForm> = {
  atOnce: 100,
  fields: Object.values(buildImportFields(networkSiteFields)),

  open: async (context) => {
    const all = await context.db.select(namedCategory).from(networkCategoriesTable)
    return (cells) => {
      const category = readNamedId('category', cells, all)
      const parsed = networkSitesContract.create.body.safeParse({
        ...parseFieldCells(networkSiteFields, cells),
        category_id: category.id,
      })
      const wrong = [...(parsed.success ? [] : toCellProblems(parsed.error)), ...category.wrong]
      if (parsed.success && !context.outbound.couldReach(new URL(parsed.data.url)))
        wrong.push({ field: 'url', says: unreachableMessage })
      return parsed.success && wrong.length === 0 ? { row: parsed.data, names: [parsed.data.url] } : { wrong }
    }
  },

  listNames: async (db, field) =>
    field === 'category' ? (await db.select(namedCategory).from(networkCategoriesTable)).map(({ name }) => name) : [],

  there: (db, rows) => markKnownRows(db, rows, networkSitesTable.url, ({ url }) => url),

  write: (tx, by, rows) => writeEach(tx, rows, (inner, row) => addNetworkSite(inner, by, row)),

  remove: (tx, by, ids, findUses) =>
    removeUnchanged(
      tx,
      ids,
      { table: networkSitesTable, kind: networkSiteAuditKind, thing: 'this site', findUses },
      (id) => removeNetworkSite(tx, by, id),
    ),
}
