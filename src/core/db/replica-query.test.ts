import { expect, onTestFinished, test } from 'vitest'
import { parseSettings } from '#domains/app-settings.ts'
import { leadChartContract } from '#domains/reports/chart/contract.ts'
import { weeklyReportContract } from '#domains/reports/weekly-report/contract.ts'
import { type App, startApp } from '#test/app.ts'
import { createDatabase } from '#test/database.ts'

async function place(settings: (url: string) => Record<string, string>): Promise<App> {
  const { url, drop } = await createDatabase()
  const app = await startApp({ url, settings: settings(url) })
  onTestFinished(async () => {
    await app.close()
    await drop()
  })
  return app
}

/** Creates a verified lead of today, and returns a signed-in super admin. */
async function withLead(app: App) {
  const campaign = await app.make.campaign({ name: 'Austin Roofs' })
  await app.make.lead({ campaign_id: campaign.id, confirmed: true, occurred_at: new Date() })
  return app.as(await app.make.superAdmin())
}
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

test('chart and file are read from the replica, the table on screen from the primary', async () => {
  const replica = await createDatabase() // empty, so that the result shows which database was read
  const app = await place(() => ({ DATABASE_REPLICA_URL: replica.url }))
  onTestFinished(replica.drop)
  const root = await withLead(app)
  const chart = await root.call(leadChartContract.read, { body: {} })
  expect(sum(chart.body.statistic.confirmed)).toBe(0)
  const table = await root.call(weeklyReportContract.read)
  expect(table.body.campaigns).toHaveLength(1)
  const file = await root.fetch('/api/lead/table/export', { method: 'POST' })
  expect(await file.text()).toContain('Total Campaigns: 0')
})

test('while the replica is down, reports are read from the primary', async () => {
  const app = await place(() => ({ DATABASE_REPLICA_URL: 'postgres://127.0.0.1:1/none' }))
  const root = await withLead(app)
  const chart = await root.call(leadChartContract.usual, { params: { id: 'total' } })
  expect([chart.status, sum(chart.body.statistic.confirmed)]).toEqual([200, 1])
})

test('behind a pooler no statement has a name, because the next one may run on another connection', async () => {
  const named = async (app: App) => {
    const root = await withLead(app)
    expect((await root.fetch('/api/leads/list/data?page=1&per_page=50')).status).toBe(200)
    const clients = await Promise.all(Array.from({ length: 20 }, () => app.context.pool.connect()))
    const counts = await Promise.all(
      clients.map((client) => client.query('select count(*)::int as count from pg_prepared_statements')),
    )
    for (const client of clients) client.release()
    return sum(counts.map(({ rows }) => rows[0].count))
  }
  expect(await named(await place(() => ({})))).toBeGreaterThan(1)
  expect(await named(await place((url) => ({ DATABASE_SESSION_URL: `${url}&application_name=session` })))).toBe(0)
})

test('a replica or session address without DATABASE_URL is refused', () => {
  for (const name of ['DATABASE_REPLICA_URL', 'DATABASE_SESSION_URL'])
    expect(() => parseSettings({ [name]: 'postgres://db.example/leadline' })).toThrow(
      `DATABASE_URL must be set too: ${name} requires it`,
    )
})
