import { boolean, index, integer, pgTable, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { byteaColumn, cascadingForeignKey, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { disputeReasons } from '#domains/billing/disputes/labels.ts'
import { noCampaignId } from '../labels.ts'
import { mailsTable } from '../mail/schema.ts'
import { leadsTable } from '../model/schema.ts'

/** Keys to a lead's public page: 128 random bits, stored as SHA-256. Each mail has its own. */
export const ratingKeysTable = pgTable(
  'rating_keys',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    lead_id: integer().notNull(),
    /** The lead's campaign, or `noCampaignId`. */
    campaign_id: integer().notNull().default(noCampaignId),
    mail_id: integer(),
    /** The client who has the key. Without one it is the mail's, or else the campaign's: keys from before 0.2 name it once they move. */
    client_id: integer(),
    key_hash: byteaColumn().notNull(),
    created_at: timestampNowColumn(),
    expires_at: timestampColumn().notNull(),
    /** When a mail scanner last opened the key's links. */
    scanned_at: timestampColumn(),
  },
  (key) => [
    primaryKey({ columns: [key.id, key.campaign_id] }),
    cascadingForeignKey([key.lead_id, key.campaign_id], [leadsTable.id, leadsTable.campaign_id]),
    cascadingForeignKey([key.mail_id, key.campaign_id], [mailsTable.id, mailsTable.campaign_id]),
    uniqueIndex('rating_keys_hash').on(key.key_hash, key.campaign_id),
    index('rating_keys_lead').on(key.lead_id),
  ],
)

/** Every save through a key, and the values that a load-time save replaced, so that a scanner's burst can be undone. */
export const ratingSavesTable = pgTable(
  'rating_saves',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    key_id: integer().notNull(),
    lead_id: integer().notNull(),
    /** The lead's campaign, or `noCampaignId`. */
    campaign_id: integer().notNull().default(noCampaignId),
    /** Saved by the page on load, not by a person's click. */
    auto: boolean().notNull(),
    /** The choice of a load-time save: a star 1 to 5, `not_lead`, or `trap` (a link that is invisible to people). */
    choice: text(),
    /** Why a person said Not Lead. */
    reason: text({ enum: disputeReasons }),
    outcome: text({ enum: ['counted', 'undone', 'ignored'] }).notNull(),
    rating_before: smallint(),
    unconfirmed_before: smallint(),
    progress_before: smallint(),
    via_before: text({ enum: ['link', 'page', 'staff'] }),
    address: text(),
    user_agent: text(),
    at: timestampNowColumn(),
  },
  (save) => [
    primaryKey({ columns: [save.id, save.campaign_id] }),
    cascadingForeignKey([save.lead_id, save.campaign_id], [leadsTable.id, leadsTable.campaign_id]),
    cascadingForeignKey([save.key_id, save.campaign_id], [ratingKeysTable.id, ratingKeysTable.campaign_id]),
    index('rating_saves_key').on(save.key_id, save.at),
    index('rating_saves_lead').on(save.lead_id),
  ],
)
