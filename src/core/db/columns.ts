import { sql } from 'drizzle-orm'
import { type AnyPgColumn, customType, foreignKey, integer, timestamp } from 'drizzle-orm/pg-core'

/** Column types that all tables share. */

export const identityColumn = () => integer().primaryKey().generatedAlwaysAsIdentity()
/** An instant (timestamptz) with milliseconds, named like its key unless it has a `name`. */
export const timestampColumn = (name = '') => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })
export const timestampNowColumn = () => timestampColumn().notNull().default(sql`now()`)
export const byteaColumn = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** A foreign key of two columns that cascades deletes and updates. */
export const cascadingForeignKey = (columns: [AnyPgColumn, AnyPgColumn], foreignColumns: [AnyPgColumn, AnyPgColumn]) =>
  foreignKey({ columns, foreignColumns }).onDelete('cascade').onUpdate('cascade')
