import { sql } from 'drizzle-orm'
import { type AnyPgColumn, customType, foreignKey, integer, timestamp } from 'drizzle-orm/pg-core'

/** Column kinds that every table shares. */

export const identityColumn = () => integer().primaryKey().generatedAlwaysAsIdentity()
/** An instant, stored with its zone, read as ISO 8601 in UTC. */
export const timestampColumn = () => timestamp({ withTimezone: true, mode: 'date', precision: 3 })
export const timestampNowColumn = () => timestampColumn().notNull().default(sql`now()`)
export const byteaColumn = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** A foreign key of two columns to a row that takes along whatever refers to it. */
export const cascadingForeignKey = (columns: [AnyPgColumn, AnyPgColumn], foreignColumns: [AnyPgColumn, AnyPgColumn]) =>
  foreignKey({ columns, foreignColumns }).onDelete('cascade').onUpdate('cascade')
