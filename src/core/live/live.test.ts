import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, expect, inject, test } from 'vitest'
import { toConnectionUrl } from '#core/postgres/postgres.ts'
import { createDatabase } from '#test/database.ts'
import { until } from '#test/until.ts'
import { PgListener } from './live.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Starts a proxy of the database that can break connections, at once and when they begin to listen. */
async function startBreakingProxy() {
  const { host, port } = inject('postgres')
  const open = new Set<Socket>()
  const breakAll = () => {
    for (const socket of open) socket.destroy()
  }
  const proxy = { breaksListen: false, broken: 0, breakAll, port: 0 }
  const server = createServer((near) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.on('data', (bytes) => {
        if (one === near && proxy.breaksListen && bytes.includes('listen ')) {
          proxy.broken += 1
          one.destroy()
        } else other.write(bytes)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    proxy.breakAll()
    return new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  proxy.port = typeof address === 'object' && address ? address.port : 0
  return proxy
}

test('a connection that breaks while it is being replaced is followed by a single one, which passes each notification once', async () => {
  const database = await createDatabase({ migrated: false })
  ends.push(() => database.drop())
  const name = new URL(database.url).pathname.slice(1)
  const proxy = await startBreakingProxy()
  const url = toConnectionUrl({ ...inject('postgres'), host: '127.0.0.1', port: proxy.port }, name)
  const listener = new PgListener(url, ['news'], pino({ level: 'silent' }))
  ends.push(() => listener.stop())
  const heard: string[] = []
  listener.on('news', (payload) => heard.push(payload))
  await listener.start()

  proxy.breaksListen = true
  proxy.breakAll()
  await until(() => proxy.broken >= 3)
  proxy.breaksListen = false
  await until(() => heard.length >= 2) // an empty one after each connection
  const client = new pg.Client(database.url)
  await client.connect()
  ends.push(() => client.end())
  const sessions = `select from pg_stat_activity where application_name = 'leadline-live' and datname = current_database()`
  for (const word of ['one', 'two']) await client.query(`select pg_notify('news', '${word}')`)
  await until(() => heard.includes('two'))
  expect(heard).toEqual(['', '', 'one', 'two'])
  const late: string[] = []
  listener.on('news', (payload) => late.push(payload), 86_400_000)
  expect(late, 'before the outage some may have been missed').toEqual([''])
  expect((await client.query(sessions)).rowCount).toBe(1)
})
