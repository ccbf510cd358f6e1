import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { allEndpoints } from '#app/server/parts.ts'
import { JobQueue } from '#core/jobs/jobs.ts'
import { projectRoot } from '#core/settings/settings.ts'
import { defineJob } from '#domains/app-context.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'

const app = await setUp(startApp())

const figure = async (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(await metrics())?.[1])
const metrics = async () => (await app.guest.fetch('/metrics')).text()
const read = (file: string) => readFileSync(join(projectRoot, 'ops', file), 'utf8')

test.each(['grafana-dashboard.json', 'prometheus-rules.yml'])(
  'every metric that ops/%s names exists [RUN-09]',
  async (file) => {
    const told = new Set([...(await metrics()).matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name]) => name))
    const named = new Set(
      [...read(file).matchAll(/\bleadline_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')),
    )
    expect(named.size).toBeGreaterThan(5)
    expect([...named].filter((name) => !told.has(name))).toEqual([])
  },
)

test('Grafana can read the dashboard, and each alert says what is wrong and what to do', () => {
  const { title, panels } = JSON.parse(read('grafana-dashboard.json')) as {
    title: string
    panels: { targets: { expr: string }[] }[]
  }
  expect(title).toBe('Leadline')
  expect(panels.every(({ targets }) => targets.length > 0 && targets.every(({ expr }) => expr.length > 0))).toBe(true)
  const rules = read('prometheus-rules.yml').split('- alert: ').slice(1)
  expect(rules.length).toBeGreaterThan(5)
  for (const rule of rules)
    for (const part of ['expr: ', 'severity: ', 'summary: ', 'description: ']) expect(rule).toContain(part)
})

test('a job that failed in another process is counted [RUN-09]', async () => {
  const run = () => Promise.reject(new Error('It cannot be done'))
  const broken = defineJob({ name: 'broken', retries: 0, run })
  const jobs = new JobQueue(app.context.settings.DATABASE_URL!, app.context.log, { pace: 1 })
  onTestFinished(() => jobs.stop())
  await jobs.start([broken])
  expect(await figure('leadline_jobs_failed')).toBe(0)
  await jobs.work(app.context, [broken])
  await app.context.db.transaction((tx) => jobs.send(tx, broken, {}))
  await until(async () => (await figure('leadline_jobs_failed')) === 1)
})

test('an alert compares a gauge with itself: increase() is for counters [RUN-09]', async () => {
  const kinds = new Map([...(await metrics()).matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name, kind]) => [name, kind]))
  const counted = [
    ...read('prometheus-rules.yml').matchAll(/(?:increase|rate)\([^[]*?(leadline_\w+?)(?:_bucket|_count)?\b/g),
  ]
  expect(counted.length).toBeGreaterThan(2)
  expect(counted.map(([, name = '']) => name).filter((name) => kinds.get(name) === 'gauge')).toEqual([])
})

test('waiting and uncertain mails are counted, and an unavailable database is not ready [RUN-09]', async () => {
  expect([await figure('leadline_ready'), await figure('leadline_mails_waiting')]).toEqual([1, 0])
  const lead = await app.make.lead()
  const mail = {
    lead_id: lead.id,
    campaign_id: lead.campaign_id,
    kind: 'notification' as const,
    recipients: ['a@b.example'],
  }
  const long = new Date(Date.now() - 600_000)
  await app.context.db.insert(mailsTable).values([
    { ...mail, created_at: long },
    { ...mail, state: 'uncertain' },
  ])
  expect([await figure('leadline_mails_waiting'), await figure('leadline_mails_uncertain')]).toEqual([1, 1])
  expect(await figure('leadline_mails_oldest_seconds')).toBeGreaterThan(590)
  await app.context.pool.query('alter table heartbeat rename to elsewhere')
  expect([await figure('leadline_ready'), await figure('leadline_mails_waiting')]).toEqual([0, Number.NaN])
})

test('/metrics stays under 100 kB after every route was called with several results, and a thousand addresses that do not exist', async () => {
  const person = await app.as(await app.make.superAdmin())
  for (const { method, path } of allEndpoints.map(({ endpoint }) => endpoint))
    for (const caller of [app.guest, person])
      if (path !== leadsContract.events.path)
        await caller.fetch(`/api${path.replace(/:\w+/g, '0')}`, {
          method,
          headers: { 'content-type': 'application/json' },
        })
  for (let count = 0; count < 300; count += 1)
    for (const path of [
      `/api/unknown-${count}`,
      `/page-${count}`,
      `/assets/${count}.js`,
      `/api/lead/${count}?x=${count}`,
    ])
      await app.guest.fetch(path, { method: count % 2 === 0 ? 'GET' : 'PUT' })
  const text = await metrics()
  expect(text).toContain('route="/api/campaigns"')
  expect(text).not.toMatch(/unknown-|page-|\d\.js/)
  expect(text.length).toBeLessThan(100_000)
})
