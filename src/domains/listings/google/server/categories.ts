import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import type { Queries } from '#core/db/db.ts'
import { contains } from '#core/db/list-sql.ts'
import { categoryPages } from '#integrations/google/categories.ts'
import type { Asking } from '#integrations/google/connection.ts'
import type { Category } from '../labels.ts'
import { googleCategories } from '../schema.ts'

/** The categories of a region, found by words anywhere in their names. */
export async function categoriesOf(db: Queries, region: string, search = ''): Promise<Category[]> {
  const words = search.split(/\s+/).filter(Boolean)
  return db
    .select({ name: googleCategories.name, displayName: googleCategories.display_name })
    .from(googleCategories)
    .where(
      and(
        eq(googleCategories.region_code, region),
        ...words.map((word) => contains(googleCategories.display_name, word)),
      ),
    )
    .orderBy(asc(sql`lower(${googleCategories.display_name})`), googleCategories.name)
}

/** Reads all of a region's, unless they were read within the week. */
export async function keepCategories({ db }: House, ask: Asking, region: string): Promise<void> {
  const [known] = await db
    .select({ fresh: sql<boolean>`coalesce(max(${googleCategories.seen_at}) > now() - interval '7 days', false)` })
    .from(googleCategories)
    .where(eq(googleCategories.region_code, region))
  if (known?.fresh) return
  const started = new Date()
  for await (const page of categoryPages(ask, region)) {
    const byName = new Map(page.map(({ name, displayName }) => [name, displayName]))
    const rows = [...byName].map(([name, display_name]) => ({
      region_code: region,
      name,
      display_name,
      seen_at: started,
    }))
    if (rows.length > 0)
      await db
        .insert(googleCategories)
        .values(rows)
        .onConflictDoUpdate({
          target: [googleCategories.region_code, googleCategories.name],
          set: { display_name: sql`excluded.display_name`, seen_at: sql`excluded.seen_at` },
        })
  }
  await db
    .delete(googleCategories)
    .where(and(eq(googleCategories.region_code, region), lt(googleCategories.seen_at, started)))
}
