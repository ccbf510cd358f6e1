import { eq } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { cutText } from '#contract/cut-text.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { validationError } from '#core/http/errors.ts'
import { teamsTable } from '#domains/access/teams/schema.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { campaignCategoriesTable } from '#domains/campaigns/categories/schema.ts'
import { campaignCategoryLinksTable } from '#domains/campaigns/schema.ts'
import { type KindWriter, readText } from '#domains/moves/public.ts'
import { networkCategoriesTable } from '#domains/sites/categories/schema.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { findPersonChange } from './fit-form.ts'

export const movedNetworkCategory = buildNamedWriter({
  kind: 'network category',
  table: networkCategoriesTable,
  readOthers: () => ({}),
  kept: ['name'],
  countUses: (tx, id) => tx.$count(networkSitesTable, eq(networkSitesTable.category_id, id)),
  used: 'has sites',
})

export const movedCategory = buildNamedWriter({
  kind: 'campaign category',
  table: campaignCategoriesTable,
  readOthers: (payload) => {
    const color = readText(payload, 'color') ?? ''
    return /^#[0-9a-f]{6}$/i.test(color) ? { color: color.toLowerCase() } : {}
  },
  kept: ['name', 'color'],
  countUses: (tx, id) => tx.$count(campaignCategoryLinksTable, eq(campaignCategoryLinksTable.category_id, id)),
  used: 'used by campaigns',
})

export const movedTeam = buildNamedWriter({
  kind: 'team',
  table: teamsTable,
  readOthers: (payload) => ({ note: readText(payload, 'note') ?? readText(payload, 'notes') ?? '' }),
  kept: ['name', 'note'],
  countUses: (tx, id) => tx.$count(activityItemsTable, eq(activityItemsTable.team_id, id)),
  used: 'has items in the activity log',
})

type NamedThing = {
  /** Its name in the audit log. */
  kind: string
  table: PgTable & { id: AnyPgColumn }
  /** Reads the columns besides the name. */
  readOthers: (payload: Record<string, unknown>) => Record<string, unknown>
  /** The columns that the entry of a removal keeps. */
  kept: readonly string[]
  countUses: (tx: Tx, id: number) => Promise<number>
  /** Why one in use stays. */
  used: string
}

function buildNamedWriter({ kind, table, readOthers, kept: columns, countUses, used }: NamedThing): KindWriter {
  return {
    write: async (tx, { actor }, { payload }) => {
      const { name, kept } = requireName(readText(payload, 'name'))
      const values = { name, ...readOthers(payload) }
      const [made] = await tx.insert(table).values(values).returning({ id: table.id })
      const id = Number(made!.id)
      await writeAudit(tx, actor, { kind, rowId: id, before: null, after: values })
      return { id, kept }
    },
    remove: async (tx, { actor }, id) => {
      const changed = await findPersonChange(tx, kind, id)
      if (changed) return changed
      if ((await countUses(tx, id)) > 0) return used
      const [gone] = await tx.delete(table).where(eq(table.id, id)).returning()
      const before = gone && Object.fromEntries(columns.map((column) => [column, gone[column]]))
      if (before) await writeAudit(tx, actor, { kind, rowId: id, before, after: null })
      return null
    },
  }
}

const mostNameCharacters = 255

/** Returns the name, cut where it is too long. Throws 422 without one. */
export function requireName(name: string | null): { name: string; kept?: string } {
  const whole = name?.trim() ?? ''
  if (whole === '') throw validationError({ name: ['No name'] })
  const cut = cutText(whole, mostNameCharacters)
  return cut === whole ? { name: whole } : { name: cut, kept: `name was cut: At most ${mostNameCharacters} characters` }
}
