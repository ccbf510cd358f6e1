import { boolean, index, integer, pgTable, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bytes, goesWith, instant, now } from '#core/db/columns.ts'
import { noCampaign } from '../labels.ts'
import { mails } from '../mail/schema.ts'
import { leads } from '../model/schema.ts'

/** What opens a lead's public page: 128 random bits, kept as their SHA-256. Each mail carries its own. */
export const ratingKeys = pgTable(
  'rating_keys',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    lead_id: integer().notNull(),
    /** Where the lead lives; a trigger fills it for the version that did not know of it. */
    campaign_id: integer().notNull().default(noCampaign),
    mail_id: integer(),
    key_hash: bytes().notNull(),
    created_at: now(),
    expires_at: instant().notNull(),
    /** When a mail scanner last opened the key's links. */
    scanned_at: instant(),
  },
  (key) => [
    primaryKey({ columns: [key.id, key.campaign_id] }),
    goesWith([key.lead_id, key.campaign_id], [leads.id, leads.campaign_id]),
    goesWith([key.mail_id, key.campaign_id], [mails.id, mails.campaign_id]),
    uniqueIndex('rating_keys_hash').on(key.key_hash, key.campaign_id),
    index('rating_keys_lead').on(key.lead_id),
  ],
)

/** Every save that came through a key, and what a load-time save replaced, so that a scanner's burst can be undone. */
export const ratingSaves = pgTable(
  'rating_saves',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    key_id: integer().notNull(),
    lead_id: integer().notNull(),
    /** Where the lead lives; a trigger fills it for the version that did not know of it. */
    campaign_id: integer().notNull().default(noCampaign),
    /** Saved by the page as it loaded, not by a person's click. */
    auto: boolean().notNull(),
    /** What the load-time save asked for: a star 1 to 5, `not_lead`, or `trap` (a link no person can see). */
    choice: text(),
    outcome: text({ enum: ['counted', 'undone', 'ignored'] }).notNull(),
    rating_before: smallint(),
    progress_before: smallint(),
    via_before: text({ enum: ['link', 'page', 'staff'] }),
    address: text(),
    user_agent: text(),
    at: now(),
  },
  (save) => [
    primaryKey({ columns: [save.id, save.campaign_id] }),
    goesWith([save.lead_id, save.campaign_id], [leads.id, leads.campaign_id]),
    goesWith([save.key_id, save.campaign_id], [ratingKeys.id, ratingKeys.campaign_id]),
    index('rating_saves_key').on(save.key_id, save.at),
    index('rating_saves_lead').on(save.lead_id),
  ],
)
