import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { closeContext, createContext } from '#app/server/context.ts'
import { addDays, getToday } from '#contract/days.ts'
import { startSession } from '#domains/access/server/session-tokens.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { toStatementId } from '#domains/billing/statements/contract.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { messageOutbox } from '#domains/messages/server/outbox.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { createDatabase } from '#test/database.ts'
import { createFactories } from '#test/factories.ts'
import { type ListeningServer, startServer, stopServer } from '#test/server-process.ts'
import { until } from '#test/until.ts'

const zone = 'America/New_York'
const senders = 10
const statements = 40

/** The program dies when so many have their answer, when a transaction is about to write a first row to a table, or at an email. */
const kills: ({ answers: number } | { writing: string } | { email: 'read' | 'taken' })[] = [
  { answers: 1 },
  { writing: 'statement_keys' }, // the statement has its number
  { answers: 2 },
  { writing: 'audit' }, // its email is queued too
  { answers: 3 },
  { writing: 'messages' }, // it is sent, and its file is drawn
  { email: 'taken' },
  { email: 'read' }, // and not yet taken
]

test('a program is killed at each step of the statements that ten people send: numbers without gaps, each client mailed at most once [ACCT-02, ACCT-03]', {
  timeout: 240_000,
}, async () => {
  const { url, drop } = await createDatabase()
  const sink = await startSmtpSink()
  const settings = { DATABASE_URL: url, SECRET_KEY: '5e'.repeat(32), SMTP_URL: sink.url, AGENCY_TIMEZONE: zone }
  const context = await createContext(parseSettings({ ...settings, LOG_LEVEL: 'silent' }), url)
  let server: ListeningServer | null = null
  try {
    const make = createFactories(context)
    const token = await startSession(context.db, (await make.superAdmin()).id, 'password', '127.0.0.1')
    const cycle = computeBillingCycle(1, getToday(zone))
    const { from: start_date } = computeBillingCycle(1, addDays(cycle.from, -1))
    const waiting: number[] = []
    for (let nth = 0; nth < statements; nth++) {
      const client = await make.client({ billing_emails: [`books-${nth}@client.example`] })
      const campaign = await make.campaign({ client_id: client.id, start_date, due_date: 1, service_fee: 100 })
      waiting.push(toStatementId(campaign.id, start_date))
    }
    let answered = 0
    /** Sends what is left; a statement whose answer did not come is asked for again. */
    const work = async (address: string) => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        const sent = await fetch(`${address}/api/statements/${id}/send`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{"mail":1}',
        }).catch(() => null)
        if (sent) answered += 1
        if (!sent || sent.status >= 500) waiting.push(id)
        if (!sent) return
        expect([200, 409]).toContain(sent.status)
      }
    }
    for (const kill of kills) {
      server = await startServer(settings)
      const release = 'writing' in kill ? await holdWrites(context.pool, kill.writing) : null
      const [before, read, taken] = [answered, sink.read, sink.letters.length]
      sink.thinks = 'email' in kill && kill.email === 'read' ? 3000 : 0
      const all = Promise.all(Array.from({ length: senders }, () => work(server!.url)))
      await until(() => {
        if ('writing' in kill) return isInsertWaiting(context.pool, kill.writing)
        if ('answers' in kill) return answered >= before + kill.answers
        return kill.email === 'read' ? sink.read > read : sink.letters.length > taken
      })
      await stopServer(server, 'SIGKILL')
      await release?.()
      await all
    }
    sink.thinks = 0
    // Time moves on until others take the jobs of the dead.
    await context.db.execute(
      sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '20 seconds' where state = 'active'`,
    )
    server = await startServer(settings)
    await Promise.all(Array.from({ length: senders }, () => work(server!.url)))
    expect(waiting).toEqual([])

    const { rows } = await context.db.execute<{ month: string; ordinal: number }>(
      sql`select month, ordinal from statements order by month, ordinal`,
    )
    expect(rows).toHaveLength(statements)
    const months = Map.groupBy(rows, ({ month }) => month)
    for (const numbered of months.values())
      expect(numbered.map(({ ordinal }) => ordinal)).toEqual(numbered.map((_, index) => index + 1))

    // Time moves on until a silent sender counts as dead.
    await context.db.execute(sql`update messages set sending_at = sending_at - interval '10 minutes'`)
    await until(async () => {
      await messageOutbox.retry(context)
      const { rows: left } = await context.db.execute<{ count: number }>(sql`
        select (select count(*) from messages where state in ('queued', 'sending'))::int
          + (select count(*) from pgboss.job where name = 'mail-statement' and state in ('created', 'retry', 'active'))::int as count`)
      return left[0]!.count === 0
    }, 120)
    const isClient = (recipient: string) => recipient.startsWith('books-') // staff are told of what may not have arrived
    const mailed = sink.letters
      .map(({ to }) => to.join())
      .filter(isClient)
      .toSorted()
    expect(mailed).toEqual([...new Set(mailed)])
    const { rows: kept } = await context.db.execute<{ recipient: string; state: string }>(
      sql`select recipient, state from messages where kind = 'statement'`,
    )
    expect(new Set(kept.map(({ recipient }) => recipient)).size, 'each client has one email').toBe(statements)
    expect(kept).toHaveLength(statements)
    const unseen = kept.filter(({ recipient }) => !mailed.includes(recipient))
    expect(unseen.filter(({ state }) => state !== 'uncertain')).toEqual([])
  } finally {
    if (server) await stopServer(server, 'SIGKILL')
    await closeContext(context)
    await sink.close()
    await drop()
  }
})

async function holdWrites(pool: pg.Pool, table: string): Promise<() => Promise<void>> {
  const client = await pool.connect()
  await client.query(`begin; lock table ${table} in share row exclusive mode`)
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

async function isInsertWaiting(pool: pg.Pool, table: string): Promise<boolean> {
  const waiting = `select from pg_locks join pg_stat_activity using (pid)
    where relation = $1::regclass and not granted and query ilike 'insert into %'`
  return (await pool.query(waiting, [table])).rowCount! > 0
}
