import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { disputeChannels, disputeStates } from './labels.ts'

/** A client says of a verified lead that it is none. */
export const disputesTable = pgTable(
  'disputes',
  {
    id: identityColumn(),
    /** No foreign key: leads may be spread over several machines. */
    lead_id: integer().notNull(),
    /** Whose client it is: the lead's campaign when it was opened. */
    campaign_id: integer()
      .notNull()
      .references(() => campaignsTable.id),
    via: text({ enum: disputeChannels }).notNull(),
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
    check('disputes_answer', sql`(state = 'open') = (answer is null)`),
  ],
)
