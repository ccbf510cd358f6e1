import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { startApp } from '#test/app.ts'
import { createDatabase } from '#test/database.ts'
import { callRailKey, postCall, sendCallRail, waitForIntake } from '#test/provider-hooks.ts'
import { until } from '#test/until.ts'
import { fullDisk } from '../../soak/full-disk.ts'
import { smallDisk, unmountDisks } from '../../soak/small-disk.ts'

test('on a full disk /readyz and hooks return 503; with space again everything continues, and nothing accepted is lost (R25, R11)', async () => {
  const done = await fullDisk(1)
  if (typeof done === 'string')
    return console.warn(`No disk was filled, ${done}. The test of a database that refuses writes stands in for it.`)
  expect(done.statuses.map(([status]) => status)).toContain(503)
  expect(done.statuses.map(([status]) => status).filter((status) => status !== 503 && status !== 200)).toEqual([])
  expect(done).toMatchObject({ lost: 0, duplicated: 0 })
})

test('a disk that a killed run has left mounted is unmounted, so that its folder can be removed', () => {
  const disk = smallDisk(1)
  if (typeof disk === 'string') return console.warn(`No disk was mounted, ${disk}.`)
  const mount = dirname(disk.folder)
  expect(() => rmSync(mount, { recursive: true })).toThrow('busy')
  unmountDisks(dirname(mount))
  rmSync(mount, { recursive: true })
})

test('a read-only database is not ready and gets 503, until it writes again (R25)', async () => {
  const database = await createDatabase()
  const app = await startApp({ work: true, url: database.url, settings: { CALLRAIL_SIGNING_KEY: callRailKey } })
  try {
    const { pool } = app.context
    const status = async (path: string) => (await app.guest.fetch(path)).status
    const ready = () => status('/readyz')
    const writes = async (works: boolean) => {
      const name = new URL(database.url).pathname.slice(1)
      const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
      await client.connect()
      await client.query(`alter database ${name} set default_transaction_read_only = ${!works}`)
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      await client.end()
    }
    await app.make.clientSite({ callrail_campaign_identifier: 'COM1' })
    expect(await ready()).toBe(200)
    await writes(false)
    await until(async () => (await ready()) === 503)
    const reads = () => pool.query('select 1 as one').catch(() => null)
    expect((await until(reads)).rows).toEqual([{ one: 1 }])
    expect(await status('/healthz')).toBe(200)
    const call = postCall({ company_resource_id: 'COM1' })
    const refused = await sendCallRail(app, call)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    await writes(true)
    await until(async () => (await ready()) === 200)
    expect((await sendCallRail(app, call)).status).toBe(200)
    await waitForIntake(app)
    expect(await app.context.db.$count(leadsTable)).toBe(1)
  } finally {
    await app.close()
    await database.drop()
  }
})
