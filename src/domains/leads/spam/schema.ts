import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'

/** People whose calls and forms are spam. */
export const spammersTable = pgTable(
  'spammers',
  {
    id: identityColumn(),
    name: text().notNull(),
    phone: text(),
    phone_key: text(),
    email: text(),
    created_at: timestampNowColumn(),
    created_by: integer().references(() => usersTable.id),
  },
  (spammer) => [
    index('spammers_phone').on(spammer.phone_key),
    index('spammers_email').on(sql`lower(${spammer.email})`),
    check('spammers_phone_or_email', sql`${spammer.phone} is not null or ${spammer.email} is not null`),
  ],
)

/** The blacklist: words and phrases that are spam. */
export const keywordsTable = pgTable(
  'blacklist_keywords',
  {
    /** Shares a sequence with spammers: both are rules. */
    id: integer().primaryKey().default(sql`nextval('spammers_id_seq')`),
    keyword: text().notNull(),
    /** The line in the text that people edit. */
    position: integer().notNull(),
    /** Null if the keyword is older than this table. */
    created_at: timestampColumn().default(sql`now()`),
    created_by: integer().references(() => usersTable.id),
  },
  (rule) => [index('blacklist_keywords_created').on(rule.created_at, rule.id)],
)

/** The incoming leads that a keyword or spammer hit. Insert-only, so that leads never wait for each other. */
export const ruleHitsTable = pgTable(
  'rule_hits',
  {
    id: identityColumn(),
    rule_id: integer().notNull(),
    lead_id: integer().notNull(),
    hit_at: timestampNowColumn(),
  },
  (hit) => [index('rule_hits_rule').on(hit.rule_id, hit.hit_at)],
)

/** The version of the whole blacklist; one row, so that saves of the whole text can be checked against its version. */
export const blacklistTable = pgTable(
  'blacklist',
  {
    id: integer().primaryKey().default(1),
    version: integer().notNull().default(1),
  },
  (row) => [check('blacklist_one_row', sql`${row.id} = 1`)],
)
