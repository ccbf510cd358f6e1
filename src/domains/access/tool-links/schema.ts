import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identityColumn } from '#core/db/columns.ts'

/** Links to the agency's other tools, shown to super admins on the dashboard. */
export const toolLinksTable = pgTable('tool_links', {
  id: identityColumn(),
  label: text().notNull(),
  url: text().notNull(),
  position: integer().notNull().default(0),
  version: integer().notNull().default(1),
})
