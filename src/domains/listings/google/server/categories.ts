import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { containsFolded, textOrderSql } from '#core/db/list-sql.ts'
import type { AppContext } from '#domains/app-context.ts'
import { readCategoryPages } from '#integrations/google/categories.ts'
import type { GoogleFetch } from '#integrations/google/connection.ts'
import type { LocationCategory } from '../labels.ts'
import { googleCategoriesTable } from '../schema.ts'

/** Returns the categories of a region whose names contain every word. */
export async function findCategories(db: DbOrTx, region: string, search = ''): Promise<LocationCategory[]> {
  const words = search.split(/\s+/).filter(Boolean)
  return db
    .select({ name: googleCategoriesTable.name, displayName: googleCategoriesTable.display_name })
    .from(googleCategoriesTable)
    .where(
      and(
        eq(googleCategoriesTable.region_code, region),
        ...words.map((word) => containsFolded(googleCategoriesTable.display_name, word)),
      ),
    )
    .orderBy(asc(textOrderSql(googleCategoriesTable.display_name)), googleCategoriesTable.name)
}

/** Reads the categories of a region, unless this was done within the last week. */
export async function refreshCategories({ db }: AppContext, ask: GoogleFetch, region: string): Promise<void> {
  const [known] = await db
    .select({ fresh: sql<boolean>`coalesce(max(${googleCategoriesTable.seen_at}) > now() - interval '7 days', false)` })
    .from(googleCategoriesTable)
    .where(eq(googleCategoriesTable.region_code, region))
  if (known?.fresh) return
  const started = new Date()
  for await (const page of readCategoryPages(ask, region)) {
    const byName = new Map(page.map(({ name, displayName }) => [name, displayName]))
    const rows = [...byName].map(([name, display_name]) => ({
      region_code: region,
      name,
      display_name,
      seen_at: started,
    }))
    if (rows.length > 0)
      await db
        .insert(googleCategoriesTable)
        .values(rows)
        .onConflictDoUpdate({
          target: [googleCategoriesTable.region_code, googleCategoriesTable.name],
          set: { display_name: sql`excluded.display_name`, seen_at: sql`excluded.seen_at` },
        })
  }
  await db
    .delete(googleCategoriesTable)
    .where(and(eq(googleCategoriesTable.region_code, region), lt(googleCategoriesTable.seen_at, started)))
}
