import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { cascadingForeignKey, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { mailKinds, mailStates, noCampaignId } from '../labels.ts'
import { leadsTable } from '../model/schema.ts'

/**
 * The outbox. `queued`, then `handing` (committed before the first byte goes out), then `sent`, or `refused` by the mail
 * server; `cancelled` where its lead was marked as spam before. A `handing` whose sender died becomes `uncertain`: it may have arrived, so it is shown and never sent again by itself.
 */
export const mailsTable = pgTable(
  'mails',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    lead_id: integer().notNull(),
    /** Where the lead lives; a trigger fills it for the version that did not know of it. */
    campaign_id: integer().notNull().default(noCampaignId),
    kind: text({ enum: mailKinds }).notNull(),
    recipients: text().array().notNull(),
    state: text({ enum: mailStates }).notNull().default('queued'),
    /** What the mail server said, where it refused. */
    error: text(),
    /** Who asked for it by hand; none when the lead's arrival did. */
    requested_by: integer().references(() => usersTable.id),
    /** The mail that this one sends again: both carry its Message-ID, so that most receivers show one of them. */
    again_of: integer(),
    /** What the mail server said when it took the mail, such as the number in its queue. */
    relay_answer: text(),
    created_at: timestampNowColumn(),
    handed_at: timestampColumn(),
    sent_at: timestampColumn(),
  },
  (mail) => [
    primaryKey({ columns: [mail.id, mail.campaign_id] }),
    cascadingForeignKey([mail.lead_id, mail.campaign_id], [leadsTable.id, leadsTable.campaign_id]),
    // The id is in it for the latest of a lead.
    index('mails_lead').on(mail.lead_id, mail.id),
    // The latest of a campaign.
    index('mails_campaign').on(mail.campaign_id, mail.id),
    // What signals speak of.
    index('mails_failed').on(mail.id).where(sql`state in ('refused', 'uncertain')`),
    index('mails_open').on(mail.state).where(sql`state in ('queued', 'handing')`),
  ],
)
