import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import type { RedirectStep } from './labels.ts'

/** A domain that cPanel redirects elsewhere. It is here only when cPanel has it, and until cPanel has removed it. */
export const redirectDomainsTable = pgTable(
  'redirect_domains',
  {
    id: identityColumn(),
    domain: text().notNull().unique(),
    redirect_url: text().notNull(),
    /** What somebody registered: a row of `registrations` knows more. */
    registered_domain: text(),
    /** cPanel's own name for it, which it asks for again to remove it. */
    domainkey: text().notNull(),
    /** 1 answers with a redirect to where it should, 0 does not, null not looked at yet. */
    live_status: smallint(),
    next_check_at: timestampColumn().notNull().default(sql`now()`),
    /** Why cPanel did not do what was asked last. */
    problem: text(),
    created_at: timestampNowColumn(),
  },
  (domain) => [index('redirect_domains_due').on(domain.next_check_at)],
)

/** Work at cPanel, with its steps. One at a time for a domain, so asking twice adds nothing twice. */
export const redirectTasksTable = pgTable(
  'redirect_tasks',
  {
    id: identityColumn(),
    kind: text({ enum: ['add', 'remove'] }).notNull(),
    domain: text().notNull(),
    redirect_url: text().notNull(),
    /** The row that it made, or is about to remove. */
    redirect_domain_id: integer(),
    state: text({ enum: ['running', 'done', 'failed'] })
      .notNull()
      .default('running'),
    steps: jsonb().$type<RedirectStep[]>().notNull().default([]),
    /** Whether the domain was there before us: then it is not ours to take back. */
    was_there: boolean().notNull().default(false),
    error: text(),
    user_id: integer(),
    username: text(),
    request_id: text(),
    address: text(),
    created_at: timestampNowColumn(),
    ended_at: timestampColumn(),
  },
  (task) => [
    uniqueIndex('redirect_tasks_running').on(task.domain).where(sql`state = 'running'`),
    index('redirect_tasks_made').on(task.created_at),
  ],
)
