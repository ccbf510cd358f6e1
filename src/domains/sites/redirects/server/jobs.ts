import { sql } from 'drizzle-orm'
import { hostOf } from '#contract/fields.ts'
import type { House } from '#core/app-context.ts'
import { job } from '#core/jobs/jobs.ts'
import { OutboundProblem } from '#integrations/outbound/outbound-problem.ts'
import { perform } from './redirect-task.ts'

/** One task at cPanel. Where its process dies, another one goes on with it. */
export const redirectTask = job<{ id: number }>({ name: 'redirect-task', run: (house, { id }) => perform(house, id) })

/** Whether the domains lead where they should: soon after they were added, then by the hour. */
const redirectChecks = job({
  name: 'redirect-checks',
  cron: '*/5 * * * *',
  retries: 0, // the next one finds what is left
  run: async (house) => {
    if (!house.jobs.working) await house.db.execute(sql`update redirect_domains set next_check_at = now()`)
    await Promise.all(Array.from({ length: 8 }, () => checkSome(house)))
  },
})

type Due = { id: number; domain: string; redirect_url: string }

async function checkSome(house: House) {
  while (!house.jobs.stopping.aborted) {
    const { rows } = await house.db.execute<Due>(sql`
      update redirect_domains set next_check_at = now() + interval '5 minutes' where id = (
        select id from redirect_domains where next_check_at <= now() order by next_check_at, id limit 1 for update skip locked)
      returning id, domain, redirect_url`)
    const [due] = rows
    if (!due) return
    const live = (await leadsThere(house, due)) ? 1 : 0
    const pause = live ? 3600 : 600 // a name needs its time to be known
    await house.db.execute(sql`
      update redirect_domains set live_status = ${live}, next_check_at = now() + make_interval(secs => ${pause} * (0.9 + random() * 0.2))
      where id = ${due.id}`)
  }
}

async function leadsThere({ outbound }: House, { domain, redirect_url }: Due): Promise<boolean> {
  try {
    const heard = await outbound.request(`http://${domain}/`, { redirects: 0, anyCertificate: true })
    heard.close()
    const { location } = heard.headers
    return (
      heard.status >= 300 && heard.status < 400 && location !== undefined && hostOf(location) === hostOf(redirect_url)
    )
  } catch (error) {
    if (error instanceof OutboundProblem) return false
    throw error
  }
}

export const redirectDomainsJobs = [redirectTask, redirectChecks]
