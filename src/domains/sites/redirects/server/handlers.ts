import { setTimeout as pause } from 'node:timers/promises'
import { desc, eq, or, sql } from 'drizzle-orm'
import { toActorColumns } from '#core/audit/actor-columns.ts'
import type { AuditActor } from '#core/audit/write-audit.ts'
import { sendCsv } from '#core/csv/csv-stream.ts'
import { buildCsvColumns } from '#core/csv/field-csv.ts'
import type { Tx } from '#core/db/db.ts'
import { conflictError, HttpError, isUniqueViolation, notFoundError, validationError } from '#core/http/errors.ts'
import { type AppContext, implementContract } from '#domains/app-context.ts'
import { formatSiteStatus } from '#domains/sites/checks/contract.ts'
import { isCPanelConfigured } from '#integrations/cpanel/cpanel.ts'
import { type RedirectDomain, type RedirectTask, redirectDomainsContract } from '../contract.ts'
import { redirectDomainFields } from '../fields.ts'
import { redirectDomainsTable, redirectTasksTable } from '../schema.ts'
import { findRedirectProblems } from './import-rows.ts'
import { redirectTaskJob } from './jobs.ts'
import { buildRedirectDomainsQuery, readRedirectDomain, readRedirectDomainsPage } from './queries.ts'

export const redirectDomainsHandlers = implementContract(redirectDomainsContract, {
  list: ({ db, query }) => readRedirectDomainsPage(db, query),

  csv: (call) =>
    sendCsv<RedirectDomain>(call, {
      name: redirectDomainsContract.csv.file,
      of: '301 domains',
      rows: buildRedirectDomainsQuery(call.db, call.query),
      columns: redirectDomainCsvColumns,
    }),

  create: async ({ db, body, context, actor, closing }) => {
    const problems = findRedirectProblems(body)
    if (problems) throw validationError(problems)
    requireCPanelConnection(context)
    const task = await startRedirectTask(context, actor, async (tx) => {
      const there = await tx.$count(redirectDomainsTable, eq(redirectDomainsTable.domain, body.domain))
      if (there > 0)
        throw new HttpError(409, 'This domain is already in the list', {
          domain: ['This domain is already in the list'],
        })
      return { kind: 'add', ...body, was_there: true } // until cPanel was asked
    })
    await waitForTask(context, task, closing)
    return readRedirectDomain(db, body.domain)
  },

  remove: async ({ params, context, actor, closing }) => {
    const task = await startRedirectTask(context, actor, async (tx) => {
      const [found] = await tx
        .select()
        .from(redirectDomainsTable)
        .where(eq(redirectDomainsTable.id, params.id))
        .for('update')
      if (!found) throw notFoundError()
      requireCPanelConnection(context)
      return { kind: 'remove', domain: found.domain, redirect_url: found.redirect_url, redirect_domain_id: found.id }
    })
    await waitForTask(context, task, closing)
  },

  steps: async ({ db, context }) => {
    const { id, kind, domain, redirect_url, state, steps, error } = redirectTasksTable
    const tasks = await db
      .select({ id, kind, domain, redirect_url, state, steps, error })
      .from(redirectTasksTable)
      .where(
        or(
          eq(state, 'running'),
          sql`${state} = 'failed' and ${redirectTasksTable.created_at} > now() - interval '1 hour'
            and not exists (select from ${redirectTasksTable} later where later.domain = ${domain} and later.id > ${id})`,
        ),
      )
      .orderBy(desc(id))
      .limit(20)
    return { connected: isCPanelConfigured(context.settings), tasks: tasks as RedirectTask[] } // done tasks are filtered out
  },
})

function requireCPanelConnection({ settings }: AppContext) {
  if (!isCPanelConfigured(settings))
    throw conflictError('cPanel is not connected: set CPANEL_URL, CPANEL_USER, CPANEL_TOKEN and CPANEL_ROOT_DOMAIN')
}

type NewRedirectTask = Pick<typeof redirectTasksTable.$inferInsert, 'kind' | 'domain' | 'redirect_url'> &
  Partial<Pick<typeof redirectTasksTable.$inferInsert, 'redirect_domain_id' | 'was_there'>>

/** Writes the task and its job in one transaction. Throws 409 if the domain already has a running task. */
async function startRedirectTask(
  { db, jobs }: AppContext,
  actor: AuditActor,
  prepare: (tx: Tx) => Promise<NewRedirectTask>,
): Promise<number> {
  try {
    return await db.transaction(async (tx) => {
      const task = await prepare(tx)
      const [made] = await tx
        .insert(redirectTasksTable)
        .values({ ...task, ...toActorColumns(actor) })
        .returning({ id: redirectTasksTable.id })
      await jobs.send(tx, redirectTaskJob, { id: made!.id })
      return made!.id
    })
  } catch (error) {
    if (isUniqueViolation(error, 'redirect_tasks_running'))
      throw conflictError('This domain is being changed right now')
    throw error
  }
}

const maxWaitMilliseconds = 40_000
const pollMilliseconds = 120

/** Waits for a worker to finish the task, and throws its error. The task continues even if this wait ends. */
async function waitForTask({ db }: AppContext, id: number, closing: AbortSignal): Promise<void> {
  const end = performance.now() + maxWaitMilliseconds
  while (performance.now() < end && !closing.aborted) {
    const [task] = await db
      .select({ state: redirectTasksTable.state, error: redirectTasksTable.error })
      .from(redirectTasksTable)
      .where(eq(redirectTasksTable.id, id))
    if (task?.state === 'done') return
    if (task?.state === 'failed') throw conflictError(task.error ?? 'cPanel refused')
    await pause(pollMilliseconds)
  }
  throw new HttpError(
    503,
    'cPanel is taking longer than usual. The task continues; its steps are shown above the list.',
  )
}

/** The columns of 301_domains.csv: those of the table. */
const redirectDomainCsvColumns = buildCsvColumns(redirectDomainFields, {
  live_status: ({ live_status }) => formatSiteStatus(live_status),
})
