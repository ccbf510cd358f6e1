import { sql } from 'drizzle-orm'
import { type AnyPgColumn, customType, foreignKey, integer, timestamp } from 'drizzle-orm/pg-core'

/** Column kinds that every table shares. */

export const identity = () => integer().primaryKey().generatedAlwaysAsIdentity()
/** An instant, stored with its zone, read as ISO 8601 in UTC. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date', precision: 3 })
export const now = () => instant().notNull().default(sql`now()`)
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** A foreign key of two columns to a row that takes along whatever refers to it. */
export const goesWith = (columns: [AnyPgColumn, AnyPgColumn], foreignColumns: [AnyPgColumn, AnyPgColumn]) =>
  foreignKey({ columns, foreignColumns }).onDelete('cascade').onUpdate('cascade')
