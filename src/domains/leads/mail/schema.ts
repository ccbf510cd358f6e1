import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { cascadingForeignKey, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { messagesTable } from '#domains/messages/schema.ts'
import { mailKinds, mailState, mailStates, noCampaignId } from '../labels.ts'
import { leadsTable } from '../model/schema.ts'

/** Begins the error of a mail that was given up because no mail server took it in time. */
export const mailExpired = 'Could not be sent within 72 hours'

/**
 * The emails of leads, sent by an outbox (core/outbox). A queued one is cancelled if its lead is marked as spam. An unknown one may have
 * arrived: it is shown, and people decide whether to send it again.
 */
export const mailsTable = pgTable(
  'mails',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    lead_id: integer().notNull(),
    /** The lead's campaign, or `noCampaignId`. */
    campaign_id: integer().notNull().default(noCampaignId),
    kind: text({ enum: mailKinds }).notNull(),
    /** The client whose addresses the recipients are, if there is one. */
    client_id: integer(),
    recipients: text().array().notNull(),
    state: text({ enum: mailStates }).notNull().default(mailState.queued),
    /** Why the mail was not sent, such as the mail server's refusal; of a sent one, which recipients did not get it, and why. */
    error: text(),
    /** Who requested the mail by hand; null for an automatic one. */
    requested_by: integer().references(() => usersTable.id),
    /** The mail that this one repeats: both have its Message-ID, so that most mailboxes show only one of them. */
    again_of: integer(),
    /** The mail server's response when it accepted the mail, such as its queue id. */
    relay_answer: text(),
    created_at: timestampNowColumn(),
    sending_at: timestampColumn('handed_at'),
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
    index('mails_failed')
      .on(mail.id)
      .where(sql`state in ('refused', 'uncertain') or (state = 'sent' and error is not null)`),
    index('mails_open').on(mail.state).where(sql`state in ('queued', 'handing')`),
  ],
)

/** The last test lead that was mailed for each campaign: the message is all that is stored of it. */
export const testLeadsTable = pgTable('test_leads', {
  campaign_id: integer()
    .primaryKey()
    .references(() => campaignsTable.id, { onDelete: 'cascade' }),
  message_id: integer()
    .notNull()
    .references(() => messagesTable.id, { onDelete: 'cascade' }),
})
