import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identity } from '#core/db/columns.ts'

/** Links to the agency's other tools, shown to super admins on the dashboard. */
export const toolLinks = pgTable('tool_links', {
  id: identity(),
  label: text().notNull(),
  url: text().notNull(),
  position: integer().notNull().default(0),
})
