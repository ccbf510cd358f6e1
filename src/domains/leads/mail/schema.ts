import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { cascadingForeignKey, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { mailKinds, mailStates, noCampaignId } from '../labels.ts'
import { leadsTable } from '../model/schema.ts'

/**
 * The outbox. A mail is `queued`, then `handing` (committed before the first byte is sent), then `sent`, or `refused` by the mail
 * server; `cancelled` if its lead was marked as spam before. A `handing` whose sender died becomes `uncertain`: it may have
 * arrived, so it is shown and never sent again automatically.
 */
export const mailsTable = pgTable(
  'mails',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    lead_id: integer().notNull(),
    /** The lead's campaign; a trigger fills it for the version before this column. */
    campaign_id: integer().notNull().default(noCampaignId),
    kind: text({ enum: mailKinds }).notNull(),
    /** The client whose addresses the recipients are; null for a mail that the version before this column queued. */
    client_id: integer(),
    recipients: text().array().notNull(),
    state: text({ enum: mailStates }).notNull().default('queued'),
    /** Why the mail was not sent, such as the mail server's refusal. */
    error: text(),
    /** Who requested the mail by hand; null for an automatic one. */
    requested_by: integer().references(() => usersTable.id),
    /** The mail that this one repeats: both have its Message-ID, so that most mailboxes show only one of them. */
    again_of: integer(),
    /** The mail server's response when it accepted the mail, such as its queue id. */
    relay_answer: text(),
    created_at: timestampNowColumn(),
    handed_at: timestampColumn(),
    sent_at: timestampColumn(),
  },
  (mail) => [
    primaryKey({ columns: [mail.id, mail.campaign_id] }),
    cascadingForeignKey([mail.lead_id, mail.campaign_id], [leadsTable.id, leadsTable.campaign_id]),
    // Includes the id to find the latest mail of a lead.
    index('mails_lead').on(mail.lead_id, mail.id),
    // The latest mails of a campaign.
    index('mails_campaign').on(mail.campaign_id, mail.id),
    // Read by signals.
    index('mails_failed').on(mail.id).where(sql`state in ('refused', 'uncertain')`),
    index('mails_open').on(mail.state).where(sql`state in ('queued', 'handing')`),
  ],
)
