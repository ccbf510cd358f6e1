import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
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
    /** Numbered together with spammers: both are rules. */
    id: integer().primaryKey().default(sql`nextval('spammers_id_seq')`),
    keyword: text().notNull(),
    /** Its place in the text that people edit. */
    position: integer().notNull(),
    /** Null where it is older than these rows. */
    created_at: timestampColumn().default(sql`now()`),
    created_by: integer().references(() => usersTable.id),
  },
  (rule) => [index('blacklist_keywords_created').on(rule.created_at, rule.id)],
)

/** Each lead that a keyword or spammer hit as it came in. Rows are only added, so leads never wait for each other. */
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

/** What holds for the whole list; one row, so that whole-text saves can be checked against its version. */
export const blacklistTable = pgTable(
  'blacklist',
  {
    id: integer().primaryKey().default(1),
    /** The list of the version before this one, which kept it as one text. */
    keywords: text().notNull().default(''),
    version: integer().notNull().default(1),
    /** The keywords once matched parts of words: the next start lists those that hit otherwise now. */
    lists_changed_keywords: boolean().notNull().default(false),
  },
  (row) => [check('blacklist_one_row', sql`${row.id} = 1`)],
)
