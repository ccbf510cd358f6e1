import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identity, instant, now } from '#core/db/columns.ts'
import type { Step } from './labels.ts'

/** A domain that cPanel redirects elsewhere. It is here only when cPanel has it, and until cPanel has removed it. */
export const redirectDomains = pgTable(
  'redirect_domains',
  {
    id: identity(),
    domain: text().notNull().unique(),
    redirect_url: text().notNull(),
    /** What somebody registered: a row of `registrations` knows more. */
    registered_domain: text(),
    /** cPanel's own name for it, which it asks for again to remove it. */
    domainkey: text().notNull(),
    /** 1 answers with a redirect to where it should, 0 does not, null not looked at yet. */
    live_status: smallint(),
    next_check_at: instant().notNull().default(sql`now()`),
    /** Why cPanel did not do what was asked last. */
    problem: text(),
    created_at: now(),
  },
  (domain) => [index('redirect_domains_due').on(domain.next_check_at)],
)

/** Work at cPanel, with its steps. One at a time for a domain, so asking twice adds nothing twice. */
export const redirectTasks = pgTable(
  'redirect_tasks',
  {
    id: identity(),
    kind: text({ enum: ['add', 'remove'] }).notNull(),
    domain: text().notNull(),
    redirect_url: text().notNull(),
    /** The row that it made, or is about to remove. */
    redirect_domain_id: integer(),
    state: text({ enum: ['running', 'done', 'failed'] })
      .notNull()
      .default('running'),
    steps: jsonb().$type<Step[]>().notNull().default([]),
    /** Whether the domain was there before us: then it is not ours to take back. */
    was_there: boolean().notNull().default(false),
    error: text(),
    user_id: integer(),
    username: text(),
    request_id: text(),
    address: text(),
    created_at: now(),
    ended_at: instant(),
  },
  (task) => [
    uniqueIndex('redirect_tasks_running').on(task.domain).where(sql`state = 'running'`),
    index('redirect_tasks_made').on(task.created_at),
  ],
)
