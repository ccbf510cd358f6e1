import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import type { RedirectStep } from './labels.ts'

/** A domain that cPanel redirects elsewhere. A row exists exactly as long as cPanel has the domain, unless it was imported. */
export const redirectDomainsTable = pgTable(
  'redirect_domains',
  {
    id: identityColumn(),
    domain: text().notNull().unique(),
    redirect_url: text().notNull(),
    /** The registered domain; see `registrations`. */
    registered_domain: text(),
    /** cPanel's own name of the domain; empty for an imported one. */
    domainkey: text().notNull(),
    /** 1 redirects correctly, 0 does not, null not checked yet. */
    live_status: smallint(),
    next_check_at: timestampColumn().notNull().default(sql`now()`),
    /** Why the last task at cPanel failed. */
    problem: text(),
    created_at: timestampNowColumn(),
  },
  (domain) => [index('redirect_domains_due').on(domain.next_check_at)],
)

/** A task at cPanel, with its steps. A domain has one at a time, so a repeated request adds nothing twice. */
export const redirectTasksTable = pgTable(
  'redirect_tasks',
  {
    id: identityColumn(),
    kind: text({ enum: ['add', 'remove'] }).notNull(),
    domain: text().notNull(),
    redirect_url: text().notNull(),
    /** The row that the task added or is about to remove. */
    redirect_domain_id: integer(),
    state: text({ enum: ['running', 'done', 'failed'] })
      .notNull()
      .default('running'),
    steps: jsonb().$type<RedirectStep[]>().notNull().default([]),
    /** Whether cPanel had the domain before the task, or may have had it: then a rollback keeps it. */
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
