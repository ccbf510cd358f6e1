import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { backtestWhy, readStoredFacts, readTargetChances } from '#domains/insights/public.ts'
import { setUp, startApp } from '#test/app.ts'
import { seedAgency } from './seed.ts'

const zone = 'America/New_York'
const now = new Date('2026-11-20T18:00:00Z')

const folder = mkdtempSync(join(tmpdir(), 'leadline-stories-'))
afterAll(() => rmSync(folder, { recursive: true }))
const app = await setUp(startApp({ settings: { DATA_DIR: folder, AGENCY_TIMEZONE: zone } }))
await seedAgency(app.context, 20_000, now)

test('one campaign is behind with a cause, one without, and one only looks behind [WHY-03, PACE-01]', async () => {
  const facts = await readStoredFacts(app.context.db, zone)
  const { campaigns } = backtestWhy(facts, { from: '2026-10-22', to: '2026-11-20', timeZone: zone })
  const chances = new Map((await readTargetChances(app.context, now)).map((one) => [one.campaign, one]))
  const { rows: offline } = await app.context.db.execute<{ campaign_id: number }>(sql`
    select campaign_id from client_sites join client_site_logs log on log.site_id = client_sites.id
    where client_sites.status = 0 and log.status = 0 and log.created_at < ${new Date('2026-11-10').toISOString()}`)
  const explained = campaigns.find(({ campaign }) => campaign === offline[0]?.campaign_id)!
  expect(explained.causes[0]).toMatchObject({ event: 'site_offline' })
  expect(chances.get(explained.campaign)!.chance).toBeLessThan(0.2)

  const short = campaigns.filter(({ found, shortfall, expected }) => !found && shortfall > expected / 3)
  expect(short.some(({ campaign }) => (chances.get(campaign)?.chance ?? 1) < 0.2)).toBe(true)

  const { rows: waiting } = await app.context.db.execute<{ campaign_id: number }>(sql`
    select campaign_id from leads where created_at > ${new Date('2026-11-15').toISOString()}
    group by campaign_id having count(*) > 3 and count(*) filter (where confirmed) = 0`)
  expect(waiting).toHaveLength(1)
  const { verified, target, chance, cycle } = chances.get(waiting[0]!.campaign_id)!
  const daysGone = (now.getTime() - Date.parse(cycle.from)) / 86_400_000
  expect(((verified / daysGone) * 30) / target).toBeLessThan(0.7)
  expect(chance).toBeGreaterThan(0.6)
  const { shortfall, segments } = campaigns.find(({ campaign }) => campaign === waiting[0]!.campaign_id)!
  const waits = segments.reduce((sum, { inner, lost }) => sum + (inner === 'waiting' ? lost : 0), 0)
  expect(waits, 'why says that it only looks behind').toBeGreaterThan(Math.max(3, shortfall / 2))
})
