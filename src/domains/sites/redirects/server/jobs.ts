import { and, eq, lt, sql } from 'drizzle-orm'
import { parseHost } from '#contract/web-address.ts'
import type { Tx } from '#core/db/db.ts'
import { type AppContext, defineJob } from '#domains/app-context.ts'
import { recordHappening } from '#domains/happenings/public.ts'
import { browserHeaders } from '#integrations/outbound/browser-headers.ts'
import type { OutboundClient } from '#integrations/outbound/outbound.ts'
import { OutboundError } from '#integrations/outbound/outbound-problem.ts'
import { isLeadlineOffline, isNetworkFailure } from '../../checks/server/reachability.ts'
import { redirectTasksTable } from '../schema.ts'
import { performRedirectTask } from './redirect-task.ts'

/** Runs one task at cPanel. If its process dies, another one resumes it. */
export const redirectTaskJob = defineJob<{ id: number }>({
  name: 'redirect-task',
  run: (context, { id }) => performRedirectTask(context, id),
})

/** Checks whether the domains redirect correctly: soon after they were added, then every hour. Also resumes tasks that were left. */
const redirectChecksJob = defineJob({
  name: 'redirect-checks',
  cron: '*/5 * * * *',
  retries: 0, // the next run finds the rest
  run: async (context) => {
    if (!context.jobs.working) await context.db.execute(sql`update redirect_domains set next_check_at = now()`)
    await resumeLeftTasks(context)
    await Promise.all(Array.from({ length: 8 }, () => checkDueRedirects(context)))
  },
})

/** A task whose job has given up, as after several killed processes, would keep its domain locked. */
async function resumeLeftTasks(context: AppContext) {
  const left = await context.db
    .select({ id: redirectTasksTable.id })
    .from(redirectTasksTable)
    .where(
      and(
        eq(redirectTasksTable.state, 'running'),
        lt(redirectTasksTable.created_at, sql`now() - interval '15 minutes'`), // longer than a task takes
      ),
    )
    .orderBy(redirectTasksTable.id)
  for (const { id } of left) await performRedirectTask(context, id)
}

type DueRedirect = { id: number; domain: string; redirect_url: string }

async function checkDueRedirects(context: AppContext) {
  while (!context.jobs.stopping.aborted) {
    const { rows } = await context.db.execute<DueRedirect>(sql`
      update redirect_domains set next_check_at = now() + interval '5 minutes' where id = (
        select id from redirect_domains where next_check_at <= now() order by next_check_at, id limit 1 for update skip locked)
      returning id, domain, redirect_url`)
    const [due] = rows
    if (!due) return
    const found = await isRedirectLive(context, due)
    if (found === null) continue
    const live = found ? 1 : 0
    const pause = live ? 3600 : 600 // a new name takes time to propagate through DNS
    await context.db.transaction((tx) => saveRedirectState(tx, due, live, pause))
  }
}

async function saveRedirectState(tx: Tx, { id, domain }: DueRedirect, live_status: 0 | 1, pause: number) {
  const { rows } = await tx.execute<{ live_status: number | null }>(
    sql`select live_status from redirect_domains where id = ${id} for update`,
  )
  const [before] = rows
  if (!before) return
  await tx.execute(sql`
    update redirect_domains set live_status = ${live_status}, next_check_at = now() + make_interval(secs => ${pause} * (0.9 + random() * 0.2))
    where id = ${id}`)
  if (before.live_status === live_status) return
  await recordHappening(tx, {
    kind: 'redirect_state',
    subject: { type: 'redirect_domain', id },
    campaign_id: null,
    before: { live_status: before.live_status },
    after: { live_status, domain },
  })
}

/** Asks in our name, and where that is refused once more as a browser would. Returns null if Leadline is offline. */
async function isRedirectLive({ db, outbound }: AppContext, due: DueRedirect): Promise<boolean | null> {
  try {
    const answer = await requestRedirect(outbound, due)
    return answer === 'refused' ? (await requestRedirect(outbound, due, browserHeaders)) === 'live' : answer === 'live'
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return isNetworkFailure({ failure: error.kind, code: null }) && (await isLeadlineOffline(db)) ? null : false
  }
}

/** Follows the domain to https and www and back, as many servers do first. What counts is where it leads from there. */
async function requestRedirect(
  outbound: OutboundClient,
  { domain, redirect_url }: DueRedirect,
  headers?: Record<string, string>,
): Promise<'live' | 'elsewhere' | 'refused'> {
  try {
    const response = await outbound.request(`http://${domain}/`, {
      follow: (next) => parseHost(next.href) === parseHost(domain),
      anyCertificate: true,
      likeBrowser: true,
      ...(headers ? { headers } : {}),
    })
    response.close()
    const { location } = response.headers
    if (response.status >= 400) return 'refused'
    const target = response.status >= 300 && location !== undefined ? URL.parse(location, response.url) : null
    return target && parseHost(target.href) === parseHost(redirect_url) ? 'live' : 'elsewhere'
  } catch (error) {
    // Some servers close the connection as soon as a checker has said who it is.
    if (headers === undefined && error instanceof OutboundError && error.kind === 'closed') return 'refused'
    throw error
  }
}

export const redirectDomainsJobs = [redirectTaskJob, redirectChecksJob]
