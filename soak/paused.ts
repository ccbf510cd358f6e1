import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { startServer, stopServer } from '#test/server-process.ts'
import { until } from '#test/until.ts'
import { drillSettings, openAgency } from './drill-app.ts'
import { Posts } from './posts.ts'

export type Paused = {
  seconds: number
  posts: number
  /** Leads that the other process created in the meantime. */
  meanwhile: number
  lost: number
  duplicated: number
  lettersTwice: number
  uncertain: number
}

/**
 * Two processes on one database, each with web and jobs. One is frozen in the middle of its work, like a swapping machine or a
 * frozen container, for longer than any lease; then it continues.
 */
export async function paused(url: string, posts: number, seconds: number): Promise<Paused> {
  const sink = await startSmtpSink()
  sink.thinks = 20
  const run = () => startServer({ ...drillSettings, DATABASE_URL: url, SMTP_URL: sink.url })
  const one = await run()
  const two = await run()
  const client = new pg.Client(url)
  await client.connect()
  const number = async (text: string) => Number((await client.query(`select (${text}) as n`)).rows[0].n)
  const leads = `select count(*) from leads where lead_id like 'PAUSE%'`
  try {
    await openAgency((text) => client.query(text))
    let stopped = false
    let turn = 0
    const sent = new Posts(posts, `PAUSE${process.pid}`)
    const sending = sent.send(() => (stopped || turn++ % 2 === 0 ? two.url : one.url), 8)
    await until(() => sent.accepted > posts / 4, 120)
    one.child.kill('SIGSTOP')
    stopped = true
    const before = await number(leads)
    await pause(seconds * 1000)
    const meanwhile = (await number(leads)) - before
    one.child.kill('SIGCONT')
    stopped = false
    await sending
    await until(async () => (await number(`select count(*) from inbound_events where state = 'stored'`)) === 0, 120)
    await until(
      async () => (await number(`select count(*) from mails where state in ('queued', 'handing')`)) === 0,
      600,
    )
    const ids = sink.letters.map(({ email }) => email.messageId)
    return {
      seconds,
      posts,
      meanwhile,
      lost: posts - (await number(leads)),
      duplicated: await number(`${leads.replace('count(*)', 'count(*) - count(distinct lead_id)')}`),
      lettersTwice: ids.length - new Set(ids).size,
      uncertain: await number(`select count(*) from mails where state = 'uncertain'`),
    }
  } finally {
    one.child.kill('SIGCONT')
    await client.end()
    await Promise.all([stopServer(one), stopServer(two)])
    await sink.close()
  }
}
