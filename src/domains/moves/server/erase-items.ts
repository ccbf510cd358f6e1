import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import {
  type ErasedPerson,
  erasedText,
  eraseMentions,
  findRecordIds,
  mentionsPerson,
} from '#core/erasure/personal-data.ts'
import type { MovedKind } from '../labels.ts'
import { moveItemsTable } from '../schema.ts'

/** The columns of an item that may name a person. */
export const personalItemColumns = ['label', 'payload', 'to_label', 'reason', 'kept']

/** Items that are one person: all that was read of them goes. */
const personKinds: MovedKind[] = ['lead', 'spammer']

/** Clears the leads of a person in moves, also of a plan, which writes them no more; of other things only the mention is erased. */
export async function eraseMoveItems(tx: Tx, person: ErasedPerson): Promise<number> {
  const { kind, row_id, label, payload, to_label, reason, kept, state } = moveItemsTable
  const isOfPerson = or(
    and(eq(kind, 'lead'), inArray(row_id, findRecordIds(person, 'lead'))),
    and(inArray(kind, personKinds), mentionsPerson(moveItemsTable, personalItemColumns, person)),
  )
  // What is said of an item begins with its label.
  const withoutLabel = (text: typeof reason | typeof kept) => sql`replace(${text}, ${label}, ${erasedText})`
  const { rowCount } = await tx
    .update(moveItemsTable)
    .set({
      label: erasedText,
      payload: null,
      to_label: sql`case when ${to_label} is not null then ${erasedText} end`,
      reason: withoutLabel(reason),
      kept: withoutLabel(kept),
      state: sql`case when ${state} = 'open' then 'skipped' else ${state} end`,
    })
    .where(and(isOfPerson, or(sql`${label} <> ${erasedText}`, sql`${payload} is not null`)))
  return (rowCount ?? 0) + (await eraseMentions(tx, moveItemsTable, personalItemColumns, person))
}
