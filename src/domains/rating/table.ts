import { boolean, index, integer, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { mails } from '#domains/leads/mails/table.ts'
import { leads } from '#domains/leads/table.ts'
import { bytes, identity, instant, now } from '#server/columns.ts'

/** What opens a lead's public page: 128 random bits, kept as their SHA-256. Each mail carries its own. */
export const ratingKeys = pgTable(
  'rating_keys',
  {
    id: identity(),
    lead_id: integer()
      .notNull()
      .references(() => leads.id, { onDelete: 'cascade' }),
    mail_id: integer().references(() => mails.id, { onDelete: 'set null' }),
    key_hash: bytes().notNull(),
    created_at: now(),
    expires_at: instant().notNull(),
    /** When a mail scanner last opened the key's links. */
    scanned_at: instant(),
  },
  (key) => [uniqueIndex('rating_keys_hash').on(key.key_hash), index('rating_keys_lead').on(key.lead_id)],
)

/** Every save that came through a key, and what a load-time save replaced, so that a scanner's burst can be undone. */
export const ratingSaves = pgTable(
  'rating_saves',
  {
    id: identity(),
    key_id: integer()
      .notNull()
      .references(() => ratingKeys.id, { onDelete: 'cascade' }),
    lead_id: integer()
      .notNull()
      .references(() => leads.id, { onDelete: 'cascade' }),
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
  (save) => [index('rating_saves_key').on(save.key_id, save.at), index('rating_saves_lead').on(save.lead_id)],
)
