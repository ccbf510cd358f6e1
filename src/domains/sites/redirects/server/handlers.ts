import { setTimeout as pause } from 'node:timers/promises'
import { desc, eq, or, sql } from 'drizzle-orm'
import { hostOf } from '#contract/fields.ts'
import type { House } from '#core/app-context.ts'
import type { Actor } from '#core/audit/write-audit.ts'
import { sendCsv } from '#core/csv/csv-stream.ts'
import type { Tx } from '#core/db/db.ts'
import { conflict, invalid, isDuplicate, notFound, Refusal } from '#core/http/errors.ts'
import { implement } from '#core/http/handle.ts'
import { registeredDomain } from '#domains/sites/checks/server/site-registration.ts'
import { isConnected } from '#integrations/cpanel/cpanel.ts'
import {
  redirectDomains as contract,
  type RedirectDomain,
  type RedirectDomainForm,
  type RedirectTask,
} from '../contract.ts'
import { redirectDomains, redirectTasks } from '../schema.ts'
import { columns } from './csv-columns.ts'
import { redirectTask } from './jobs.ts'
import { domainsPage, domainsQuery, readDomain } from './queries.ts'

export const redirectDomainsCalls = implement(contract, {
  list: ({ db, query }) => domainsPage(db, query),

  csv: async (call) => {
    const rows = domainsQuery(call.db, call.query)
    await sendCsv<RedirectDomain>(call, { name: contract.csv.file, of: '301 domains', rows, columns })
    return undefined
  },

  create: async ({ db, body, house, actor, closing }) => {
    expectDomain(body)
    expectConnected(house)
    const task = await begin(house, actor, async (tx) => {
      const there = await tx.$count(redirectDomains, eq(redirectDomains.domain, body.domain))
      if (there > 0)
        throw new Refusal(409, 'This domain is in the list already', { domain: ['This domain is in the list already'] })
      return { kind: 'add', ...body }
    })
    await ended(house, task, closing)
    return readDomain(db, body.domain)
  },

  remove: async ({ params, house, actor, closing }) => {
    const task = await begin(house, actor, async (tx) => {
      const [found] = await tx.select().from(redirectDomains).where(eq(redirectDomains.id, params.id)).for('update')
      if (!found) throw notFound()
      expectConnected(house)
      return { kind: 'remove', domain: found.domain, redirect_url: found.redirect_url, redirect_domain_id: found.id }
    })
    await ended(house, task, closing)
    return undefined
  },

  steps: async ({ db, house }) => {
    const { id, kind, domain, redirect_url, state, steps, error } = redirectTasks
    const tasks = await db
      .select({ id, kind, domain, redirect_url, state, steps, error })
      .from(redirectTasks)
      .where(
        or(eq(state, 'running'), sql`${state} = 'failed' and ${redirectTasks.created_at} > now() - interval '1 hour'`),
      )
      .orderBy(desc(id))
      .limit(20)
    return { connected: isConnected(house.settings), tasks: tasks as RedirectTask[] } // those that are done are not among them
  },
})

/** Something that can be bought, and not what it is to lead to. */
function expectDomain({ domain, redirect_url }: RedirectDomainForm) {
  if (registeredDomain(domain) === null) throw invalid({ domain: ['Not a domain, such as example.com'] })
  if (hostOf(domain) === hostOf(redirect_url)) throw invalid({ redirect_url: ['It would lead to itself'] })
}

function expectConnected({ settings }: House) {
  if (!isConnected(settings))
    throw conflict('cPanel is not connected: set CPANEL_URL, CPANEL_USER, CPANEL_TOKEN and CPANEL_ROOT_DOMAIN')
}

type New = { kind: 'add' | 'remove'; domain: string; redirect_url: string; redirect_domain_id?: number }

/** The task and its job are there together or not at all. A domain has one at a time. */
async function begin(
  { db, jobs }: House,
  { me, requestId, address }: Actor,
  prepare: (tx: Tx) => Promise<New>,
): Promise<number> {
  try {
    return await db.transaction(async (tx) => {
      const task = await prepare(tx)
      const by = {
        user_id: me?.id ?? null,
        username: me?.username ?? null,
        request_id: requestId ?? null,
        address: address ?? null,
      }
      const [made] = await tx
        .insert(redirectTasks)
        .values({ ...task, ...by })
        .returning({ id: redirectTasks.id })
      await jobs.send(tx, redirectTask, { id: made!.id })
      return made!.id
    })
  } catch (error) {
    if (isDuplicate(error, 'redirect_tasks_running')) throw conflict('This domain is being worked on right now')
    throw error
  }
}

const patience = 40_000
const between = 120

/** Waits for the task's end, whoever works on it, and says what went wrong. It goes on also when nobody waits. */
async function ended({ db }: House, id: number, closing: AbortSignal): Promise<void> {
  const end = performance.now() + patience
  while (performance.now() < end && !closing.aborted) {
    const [task] = await db
      .select({ state: redirectTasks.state, error: redirectTasks.error })
      .from(redirectTasks)
      .where(eq(redirectTasks.id, id))
    if (task?.state === 'done') return
    if (task?.state === 'failed') throw conflict(task.error ?? 'cPanel refused')
    await pause(between)
  }
  throw new Refusal(503, 'cPanel takes longer than usual. It goes on by itself; its steps are shown above the list.')
}
