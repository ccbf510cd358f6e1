import { once } from 'node:events'
import { expect, test } from 'vitest'
import { allJobs } from '#app/server/parts.ts'
import { HttpError } from '#core/http/errors.ts'
import { JobQueue } from '#core/jobs/jobs.ts'
import { defineJob } from '#domains/app-context.ts'
import { spokenHostsTable } from '#domains/sites/checks/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'
import { hangingWorker } from '../../soak/hanging-worker.ts'

const app = await setUp(startApp())

test('the job of a killed worker runs again in another after its 20-second lease (R26)', async () => {
  const ran: string[] = []
  const long = defineJob<{ of: string }>({ name: 'long', run: async (_, { of }) => void ran.push(of) })
  const other = new JobQueue(app.context.settings.DATABASE_URL!, app.context.log, { pace: 1 })
  await other.start([long])
  await app.context.db.transaction((tx) => other.send(tx, long, { of: 'the dead worker' }))
  const worker = await hangingWorker(app.context.settings.DATABASE_URL!)
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  await other.work(app.context, [long])
  const lease = `select heartbeat_seconds from pgboss.job where name = 'long' and state = 'active'`
  expect((await app.context.pool.query(lease)).rows).toEqual([{ heartbeat_seconds: 20 }])
  expect(ran).toEqual([])
  const passed = `update pgboss.job set heartbeat_on = heartbeat_on - interval '20 seconds' where name = 'long'`
  await app.context.pool.query(passed)
  await until(() => ran.length > 0)
  expect(ran).toEqual(['the dead worker'])
  await other.stop()
})

test('a queue of an earlier version takes the limits of this one: a long job is not started again beside itself', async () => {
  const { pool, settings, log } = app.context
  const long = defineJob({ name: 'long-lived', run: async () => {} })
  const start = async () => {
    const queue = new JobQueue(settings.DATABASE_URL!, log, { pace: 1 })
    await queue.start([long])
    await queue.stop()
  }
  const limit = async () =>
    (await pool.query(`select expire_seconds from pgboss.queue where name = 'long-lived'`)).rows[0].expire_seconds
  await start()
  await pool.query(`update pgboss.queue set expire_seconds = 600 where name = 'long-lived'`)
  await start()
  expect(await limit()).toBe(3600)
})

test('while a job waits, no other job with its key is enqueued', async () => {
  const keyed = defineJob<{ id: number }>({ name: 'keyed', run: async () => {} })
  const queue = new JobQueue(app.context.settings.DATABASE_URL!, app.context.log, { pace: 1 })
  await queue.start([keyed])
  const send = (id: number) => app.context.db.transaction((tx) => queue.send(tx, keyed, { id }, { key: String(id) }))
  const waiting = async () => {
    const { rows } = await app.context.pool.query(
      `select data ->> 'id' as id from pgboss.job where name = 'keyed' order by 1`,
    )
    return rows.map(({ id }) => id)
  }
  for (const id of [1, 1, 2, 1]) await send(id)
  expect(await waiting()).toEqual(['1', '2'])
  await app.context.pool.query(`update pgboss.job set state = 'active' where name = 'keyed' and data ->> 'id' = '1'`)
  await send(1)
  expect(await waiting()).toEqual(['1', '1', '2'])
  await queue.stop()
})

test('a connection that the job queue loses is one log line, without the client object', async () => {
  const lines: object[] = []
  const note = (line: object) => void lines.push(line)
  const queue = new JobQueue(
    app.context.settings.DATABASE_URL!,
    { debug: note, info: note, warn: note, error: note } as never,
    { pace: 1 },
  )
  const others = await queuePids()
  await queue.start([])
  // Only idle connections of this queue: losing one in use would be an error of its statement.
  const lost = new Set<number>()
  await until(async () => {
    const { rows } = await app.context.pool.query<{ pid: number }>(
      `select pid, pg_terminate_backend(pid) from (${idleQueueBackends}) idle where pid <> all ($1)`,
      [others],
    )
    for (const { pid } of rows) lost.add(pid)
    return lost.size > 0 && lines.length >= lost.size
  })
  for (const line of lines) expect(line).toEqual({ reason: expect.any(String) })
  await queue.stop()
})

const idleQueueBackends = `select pid from pg_stat_activity
  where datname = current_database() and application_name = 'pgboss' and state = 'idle' and state_change < now() - interval '0.2 s'`
const queuePids = async () =>
  (
    await app.context.pool.query<{ pid: number }>(`select pid from pg_stat_activity where application_name = 'pgboss'`)
  ).rows.map(({ pid }) => pid)

test('every scheduled job may run repeatedly, and adds nothing once its work is done (R26)', async () => {
  await app.make.lead({ lead_phone: '+15125550144', phone_key: '+15125550144' })
  await app.make.clientSite({ url: 'http://127.0.0.1:1', callrail_campaign_identifier: 'COM1' })
  await app.make.gmb()
  for (const { name, cron, run } of allJobs) {
    if (!cron) continue
    const once = async () => {
      await app.context.db.delete(spokenHostsTable) // or a host would be left alone for a moment after its check
      // A job without its service says so, each time.
      await run(app.context, {} as never).catch((error) => expect(error).toBeInstanceOf(HttpError))
    }
    for (let times = 0; times < 3; times += 1) await once() // a site that does not respond counts as offline at the second check
    const before = await rowCounts()
    await once()
    expect([name, await rowCounts()]).toEqual([name, before])
  }
})

/** Returns the row count of each table, including waiting jobs, except `happenings`, which grows with each listing check. */
async function rowCounts(): Promise<Record<string, number>> {
  const { rows } = await app.context.pool.query<{ name: string; count: number }>(`
    select relname as name, (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || oid::regclass, false, true, '')))[1]::text::int as count
    from pg_class where relkind = 'r' and relname <> 'happenings' and (relnamespace = 'public'::regnamespace or oid = 'pgboss.job_common'::regclass)`)
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}
