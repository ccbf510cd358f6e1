import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { disputeChannels, disputeReasons, disputeStates } from './labels.ts'

/** A client disputes a verified lead. */
export const disputesTable = pgTable(
  'disputes',
  {
    id: identityColumn(),
    /** No foreign key: leads may be distributed over several machines. */
    lead_id: integer().notNull(),
    /** The lead's campaign when the dispute was opened. An open dispute follows its lead to another campaign of the same client. */
    campaign_id: integer()
      .notNull()
      .references(() => campaignsTable.id),
    /** The client who disputes. Without one it is the campaign's: disputes from before 0.2 name it once the campaign changes hands. */
    client_id: integer().references(() => clientsTable.id),
    via: text({ enum: disputeChannels }).notNull(),
    /** Null until the client says why. */
    reason: text({ enum: disputeReasons }),
    state: text({ enum: disputeStates }).notNull().default('open'),
    answer: text(),
    opened_at: timestampNowColumn(),
    decided_at: timestampColumn(),
    decided_by: integer().references(() => usersTable.id),
  },
  (dispute) => [
    uniqueIndex('disputes_one_open').on(dispute.lead_id).where(sql`state = 'open'`),
    index('disputes_lead').on(dispute.lead_id),
    index('disputes_campaign').on(dispute.campaign_id, dispute.state, dispute.opened_at),
    check('disputes_answer', sql`(state in ('open', 'settled')) = (answer is null)`),
  ],
)
