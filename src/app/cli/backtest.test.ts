import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { readStoredFacts } from '#domains/insights/public.ts'
import { setUp, startApp } from '#test/app.ts'
import { makeSilenceAgency } from '#test/insights/agency.ts'
import { runCli } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'leadline-facts-'))
const app = await setUp(startApp())
vi.stubEnv('AGENCY_TIMEZONE', 'UTC')
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

test('a facts file is replayed without a database, as one JSON object or in lines [TODAY-11, PACE-07]', async () => {
  const { lines } = makeSilenceAgency(8, { sources: 10 })
  const file = writeFacts(lines)
  const range = ['--facts', file, '--from', '2025-01-01', '--to', '2025-06-30']
  const silence = await backtest('silence', ...range, '--json')
  expect(silence).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(silence.stdout)).toMatchObject({
    sources: expect.arrayContaining([{ id: '0/callrail', signals: expect.any(Array) }]),
    source_months: expect.any(Number),
    old_rule: { false_alarms_per_100: expect.any(Number) },
  })
  const forecast = await backtest('forecast', ...range, '--json')
  expect(JSON.parse(forecast.stdout)).toMatchObject({ forecasts: expect.any(Array), brier: null })
  expect((await backtest('silence', ...range)).stdout).toMatch(/source-months; false alarms per 100 of them/)
})

test('bad lines are named with exit code 2; other mistakes are one line with exit code 1 [TODAY-11, PACE-07]', async () => {
  const file = writeFacts(['{"kind":"lead"}', 'x'])
  expect(await backtest('silence', '--facts', file)).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^line 1: .*\nline 2: this is not JSON\n$/),
  })
  for (const [args, line] of [
    [['silence', '--facts', join(folder, 'none')], /cannot be read\n$/],
    [['silence', '--facts', file, '--from', 'monday'], /monday is not a day, yyyy-MM-dd\.\n$/],
    [['weather', '--facts', file], /Allowed choices are silence, forecast, why\.\n$/],
    [['silence', '--facts', writeFacts([]), '--from', '2025-02-01', '--to', '2025-01-01'], /is before --from/],
  ] as const)
    expect(await backtest(...args)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) })
})

test('stored data is read as facts: campaigns, sources, leads with their verdicts, and outages [TODAY-11, PACE-07]', async () => {
  const campaign = await app.make.campaign({ initial_target: 12, due_date: 15 })
  const site = await app.make.clientSite({ campaign_id: campaign.id })
  const lead = await app.make.lead({
    campaign_id: campaign.id,
    clientsite_id: site.id,
    lead_s: 'Callrail',
    lead_type: 'Call',
    confirmed: true,
    occurred_at: new Date('2026-01-02T15:04:05Z'),
  })
  const facts = await readStoredFacts(app.context.db, 'UTC')
  expect(facts.campaigns).toContainEqual(expect.objectContaining({ id: campaign.id, due_date: 15 }))
  expect(facts.sources).toContainEqual({
    kind: 'source',
    id: `${site.id}/callrail`,
    campaign: campaign.id,
    site: site.id,
  })
  expect(facts.leads.find(({ id }) => id === lead.id)).toMatchObject({
    source: `${site.id}/callrail`,
    type: 'Call',
    at: '2026-01-02T15:04:05.000Z',
    verified_at: expect.any(String),
    missed: false,
  })
})

test('lost links, broken redirects and suspensions are events of the campaign, with their ends [WHY-03]', async () => {
  const { db } = app.context
  const site = await app.make.clientSite({ url: 'https://happened.example' })
  const gmb = await app.make.gmb({ campaign_id: site.campaign_id! })
  const network = await app.make.networkSite()
  const [first, second] = ['2026-01-02T10:00:00Z', '2026-01-09T10:00:00Z']
  const { rows } = await db.execute<{ lost: number; redirect: number }>(sql`
    with links as (
      insert into outgoing_links (network_site_id, url, host, page, key, lost_at) values
        (${network.id}, 'https://happened.example/a', 'happened.example', '/', 'a', ${second}),
        (${network.id}, 'https://happened.example/b', 'happened.example', '/', 'b', null) returning id, key
    ), redirects as (
      insert into redirect_domains (domain, redirect_url, domainkey) values ('old.example', 'https://www.happened.example/', 'k') returning id
    ), told as (
      insert into happenings (at, kind, subject_type, subject_id, before, after)
        select at::timestamptz, kind, 'link', links.id, '{"is_there":true}'::jsonb, '{}'::jsonb from links,
          (values (${first}::text, 'link_lost'), (${second}, 'link_found')) one (at, kind) where links.key = 'b'
        union all
        select at::timestamptz, 'redirect_state', 'redirect_domain', redirects.id, '{}'::jsonb, jsonb_build_object('live_status', status) from redirects,
          (values (${first}::text, 0), (${second}, 1)) one (at, status)
    ) select (select id::int from links where key = 'b') as lost, (select id from redirects) as redirect`)
  await db.execute(sql`insert into campaign_gmb_logs (gmb_id, created_at, changed, old, new) values
    (${gmb.id}, ${first}, 'Status', 'Open', 'Suspended'), (${gmb.id}, ${second}, 'Status', 'Suspended', 'Open')`)
  const { events } = await readStoredFacts(db, 'UTC')
  const [at, until] = [first, second].map((time) => time.replace('Z', '.000Z'))
  const own = { kind: 'event', campaign: site.campaign_id }
  expect(events.filter(({ campaign }) => campaign === site.campaign_id)).toEqual([
    {
      ...own,
      site: site.id,
      event: 'link_lost',
      at,
      until,
      subject_id: rows[0]!.lost,
      title: 'https://happened.example/b',
    },
    { ...own, site: null, event: 'listing_suspended', at, until, subject_id: gmb.id, title: gmb.title },
    { ...own, site: site.id, event: 'redirect_broken', at, until, subject_id: rows[0]!.redirect, title: 'old.example' },
    expect.objectContaining({ event: 'link_lost', at: until, until: null, title: 'https://happened.example/a' }),
  ])
})

function writeFacts(lines: string[]): string {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.jsonl`)
  writeFileSync(file, lines.join('\n'))
  return file
}

async function backtest(...args: string[]) {
  const [stdout, stderr]: [string[], string[]] = [[], []]
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => stdout.push(String(text)) > 0)
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => stderr.push(String(text)) > 0)
  try {
    const code = await runCli(['backtest', ...args])
    return { code, stdout: stdout.join(''), stderr: stderr.join('') }
  } finally {
    out.mockRestore()
    err.mockRestore()
  }
}
