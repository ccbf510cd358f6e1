import { inArray } from 'drizzle-orm'
import { parseHost, toSameAddress } from '#contract/web-address.ts'
import {
  buildImportFields,
  type ImportDefinition,
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
      return parsed.success && wrong.length === 0
        ? { row: parsed.data, names: [toSameAddress(parsed.data.url)] }
        : { wrong }
    }
  },

  listNames: async (db, field) =>
    field === 'category' ? (await db.select(namedCategory).from(networkCategoriesTable)).map(({ name }) => name) : [],

  there: async (db, rows) => {
    const hosts = rows.map(({ url }) => parseHost(url))
    const found = await db
      .select({ url: networkSitesTable.url })
      .from(networkSitesTable)
      .where(inArray(networkSitesTable.host, hosts))
    const known = new Set(found.map(({ url }) => toSameAddress(url)))
    return rows.map(({ url }) => (known.has(toSameAddress(url)) ? 'known' : 'fresh'))
  },

  write: (tx, by, rows) => writeEach(tx, rows, (inner, row) => addNetworkSite(inner, by, row)),

  remove: (tx, by, ids, findUses) =>
    removeUnchanged(
      tx,
      ids,
      { table: networkSitesTable, kind: networkSiteAuditKind, thing: 'this site', findUses },
      (id) => removeNetworkSite(tx, by, id),
    ),
}
