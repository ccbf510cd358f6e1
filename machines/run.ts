import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import sharp from 'sharp'
import { startLocalBucket } from '#integrations/fakes/object-store.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { type ListeningServer, startServer, stopServer } from '#test/server-process.ts'
import { until } from '#test/until.ts'
import { drillSettings, openAgency } from '../soak/drill-app.ts'
import { Posts } from '../soak/posts.ts'
import { startPooler, startPrimary, startProxy, startReplica, stopAll } from './debian.ts'
import { keepShown, must, show } from './shown-checks.ts'

/**
 * npm run machines: two web processes and two workers behind HAProxy, on PostgreSQL through PgBouncer in transaction mode, with a
 * streaming replica and an S3 store. HAProxy, PgBouncer and PostgreSQL are Debian's. Prints each check that passes, and fails on the
 * first that does not.
 */
const store = await startLocalBucket()
const mails = await startSmtpSink()
const processes: ListeningServer[] = []
try {
  const primary = await startPrimary()
  const replica = await startReplica(primary)
  const settings = {
    ...drillSettings,
    DATABASE_URL: await startPooler(primary),
    DATABASE_SESSION_URL: primary.url,
    DATABASE_REPLICA_URL: replica.url,
    SMTP_URL: mails.url,
    TRUSTED_PROXIES: '127.0.0.1',
    STOP_DELAY: '2',
    ...store.settings,
  }
  const one = (role: 'web' | 'worker') => startServer({ ...settings, LEADLINE_ROLE: role })
  processes.push(...(await Promise.all([one('web'), one('web'), one('worker'), one('worker')])))
  const [first, second] = processes as [ListeningServer, ListeningServer, ListeningServer, ListeningServer] // just started
  const front = await startProxy([first, second].map(({ url }) => Number(new URL(url).port)))
  const database = new pg.Pool({ connectionString: primary.url, max: 2 })
  database.on('error', () => {}) // it ends with its server
  const number = async (text: string) => Number((await database.query(`select (${text}) as n`)).rows[0].n)
  await openAgency((text) => database.query(text))
  const token = await signIn(front, settings.ADMIN_PASSWORD)
  const asked = (path: string, init: RequestInit = {}, at = front) =>
    fetch(at + path, { ...init, headers: { authorization: `Bearer ${token}`, ...(init.headers as object) } })

  await show('the database', async () => primary.version)
  await show('four processes that started together migrated once and answer', async () => {
    const ready = await Promise.all(
      [first, second].map(({ url }) => fetch(`${url}/readyz`).then(({ status }) => status)),
    )
    must(
      ready.every((status) => status === 200),
      `readiness is ${ready}`,
    )
    return ready
  })
  await show('a session started at one web process is valid at the other', async () => {
    const names = await Promise.all(
      [first, second].map(({ url }) => asked('/api/user/me', {}, url).then((answer) => answer.json())),
    )
    must(
      names.every(({ username }) => username === 'admin'),
      JSON.stringify(names),
    )
    return names.map(({ username }) => username)
  })
  await show('2,000 signed calls through the proxy, each sent twice', async () => {
    const posts = [new Posts(2000, 'call'), new Posts(2000, 'call')]
    const started = performance.now()
    await Promise.all(posts.map((each) => each.send(() => front, 8)))
    const rate = Math.round(4000 / ((performance.now() - started) / 1000))
    await until(async () => (await number(`select count(*) from inbound_events where state = 'stored'`)) === 0, 120)
    const leads = await number('select count(*) from leads')
    must(leads === 2000, `${leads} leads`)
    await until(async () => (await number(`select count(*) from mails where state <> 'sent'`)) === 0, 300)
    must(mails.letters.length === 2000, `${mails.letters.length} letters`)
    return { leads, letters: mails.letters.length, 'a second': rate }
  })
  await show('a call received by one web process is announced to listeners at the other', async () => {
    const heard = listen(`${second.url}/api/leads/events`, token, '"id":')
    await pause(500)
    await new Posts(1, 'told').send(() => first.url, 1)
    return `${await heard} ms, half a second of it before the call`
  })
  await show('an image stored by one web process is served by the other', async () => {
    const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#2a5bd7' } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'a.png')
    const stored = await asked('/api/campaign-changelog/files', { method: 'POST', body: form }, first.url)
    must(stored.ok, `storing answered ${stored.status} ${await stored.clone().text()}`)
    const { data } = (await stored.json()) as { data: { id: number } } // our own contract
    const read = await asked(`/api/files/${data.id}`, {}, second.url)
    must(read.ok && read.headers.get('content-type')!.startsWith('image/'), `reading answered ${read.status}`)
    return read.headers.get('content-type')
  })
  await show('a minute of schedules, each slot done once', async () => {
    const slots = `select count(*) from pgboss.job where name in ('fold-counts', 'intake-sweep') and state = 'completed'`
    const before = await number(slots)
    await pause(65_000)
    const done = (await number(slots)) - before
    must(done >= 2 && done <= 4, `${done} of two jobs in 65 s`)
    return done
  })
  await show('the chart is read from the replica', async () => {
    const reads = async () => {
      const client = new pg.Client(replica.url)
      await client.connect()
      const { rows } = await client.query(
        `select xact_commit::int as n from pg_stat_database where datname = 'leadline'`,
      )
      await client.end()
      return rows[0].n as number
    }
    const before = await reads()
    for (let turn = 0; turn < 20; turn += 1) await chart(asked)
    const more = await until(async () => ((await reads()) - before > 20 ? (await reads()) - before : 0), 20)
    return `${more} transactions there`
  })
  await show('the replica goes away: the chart is read from the primary', async () => {
    replica.child.kill('SIGKILL')
    return `${await chart(asked)} counted`
  })
  await show('one web process leaves under load: no request fails', async () => {
    const load = new Posts(1500, 'rolling')
    const sending = load.send(() => front, 8)
    await until(() => load.accepted > 200)
    const code = await stopServer(first)
    await sending
    must(load.failed === 0 && code === 0, `${load.failed} failed, exit ${code}`)
    return { failed: load.failed, exit: code }
  })
  await database.end()
  keepShown('latest.json')
} finally {
  await Promise.all(processes.map((each) => stopServer(each)))
  await stopAll()
  await mails.close()
  await store.close()
}

async function signIn(url: string, password: string): Promise<string> {
  const answer = await fetch(`${url}/api/user/login`, { ...put({ username: 'admin', password }), method: 'POST' })
  const { token } = (await answer.json()) as { token?: string } // our own contract
  must(token !== undefined, `signing in answered ${answer.status}`)
  return token!
}

function put(body: object): RequestInit {
  return { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

async function chart(asked: (path: string) => Promise<Response>): Promise<number> {
  const answer = await asked('/api/lead/chart/total')
  must(answer.ok, `the chart answered ${answer.status}`)
  const { statistic } = (await answer.json()) as { statistic: { missed: number[] } } // our own contract
  return statistic.missed.reduce((sum, count) => sum + count, 0)
}

/** Returns how many milliseconds pass until the stream contains the words. */
async function listen(url: string, token: string, words: string): Promise<number> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(20_000),
  })
  must(answer.ok, `listening answered ${answer.status}`)
  const started = performance.now()
  let text = ''
  for await (const chunk of answer.body!) {
    text += Buffer.from(chunk).toString()
    if (text.includes(words)) return Math.round(performance.now() - started)
  }
  throw new Error('the stream ended')
}
