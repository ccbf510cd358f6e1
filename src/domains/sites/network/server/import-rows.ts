import { inArray } from 'drizzle-orm'
import {
  buildImportFields,
  findByName,
  getFilledCell,
  type ImportDefinition,
  isSameName,
  type LineProblem,
  parseFieldCells,
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
      const wanted = getFilledCell(cells, 'category')
      const category = wanted && findByName('category', wanted, all, ({ name }) => isSameName(name, wanted))
      const parsed = networkSitesContract.create.body.safeParse({
        ...parseFieldCells(networkSiteFields, cells),
        // A category that is not found has its own message below.
        category_id: typeof category === 'object' ? category.id : wanted && 1,
      })
      const wrong: LineProblem[] = parsed.success ? [] : toCellProblems(parsed.error).map(nameCategoryProblem)
      if (typeof category === 'string' && category !== '') wrong.push({ field: 'category', says: category })
      if (parsed.success && !context.outbound.couldReach(new URL(parsed.data.url)))
        wrong.push({ field: 'url', says: unreachableMessage })
      return parsed.success && wrong.length === 0 ? { row: parsed.data, names: [parsed.data.url] } : { wrong }
    }
  },

  listNames: async (db, field) =>
    field === 'category' ? (await db.select(namedCategory).from(networkCategoriesTable)).map(({ name }) => name) : [],

  there: async (db, rows) => {
    const found = await db
      .select({ url: networkSitesTable.url })
      .from(networkSitesTable)
      .where(
        inArray(
          networkSitesTable.url,
          rows.map(({ url }) => url),
        ),
      )
    const urls = new Set(found.map(({ url }) => url))
    return rows.map(({ url }) => (urls.has(url) ? 'known' : 'fresh'))
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

const nameCategoryProblem = ({ field, says }: LineProblem): LineProblem =>
  field === 'category_id' ? { field: 'category', says: 'Please name a category' } : { field, says }
