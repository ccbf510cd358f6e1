import { type SQL, sql } from 'drizzle-orm'
import { erasedText } from '#core/erasure/personal-data.ts'
import { inboundEventsTable } from '../../intake/schema.ts'

/** What is left of an event that held the data of an erased person. */
export const erasedEventColumns = { body: Buffer.from(erasedText), headers: {} }

/** Leaves out erased events, which cannot be read or processed again. */
export const notErasedCondition: SQL = sql`${inboundEventsTable.body} <> ${erasedEventColumns.body}`
