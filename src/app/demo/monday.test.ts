import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { signalsTable } from '#domains/signals/schema.ts'
import { probeSignal } from '#domains/signals/server/probe.ts'
import { runSignals } from '#domains/signals/server/runner.ts'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { startCPanelStandIn } from '#integrations/fakes/cpanel.ts'
import { startRdapStandIn } from '#integrations/fakes/rdap.ts'
import { startApp } from '#test/app.ts'
import { liveUntilMonday } from './monday.ts'
import { seedAgency } from './seed.ts'
import { demoIpRanges, simulateOutsideWorld } from './stand-ins/outside-services.ts'

// A Monday afternoon. Not the last one: the leads of each are drawn at random, and on some a source is silent for weeks by chance.
const now = new Date('2026-11-16T20:00:00Z')

test('the demo has its Monday: two dead sources, lost webhooks that a probe brings back, a suspension, a holiday [TODAY-05] [TODAY-08]', {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-demo-'))
  const [callrail, cpanel, rdap] = await Promise.all([startCallRailStandIn(), startCPanelStandIn(), startRdapStandIn()])
  const app = await startApp({
    settings: {
      DATA_DIR: folder,
      ...callrail.settings,
      ALLOWED_PRIVATE_RANGES: demoIpRanges.join(),
      RDAP_BOOTSTRAP_URL: rdap.bootstrap,
      RDAP_IP_BOOTSTRAP_URL: rdap.ipBootstrap,
    },
  })
  const { context } = app
  const { db } = context
  const { monday } = await seedAgency(context, 30_000, now)
  callrail.calls.push(...monday.listed)
  await liveUntilMonday(context, now)
  const sites = await simulateOutsideWorld(context, cpanel, rdap)
  const open = () => db.select().from(signalsTable).where(isNull(signalsTable.closed_at))

  const planned = monday.silent.map(({ site, provider }) => `${site}/${provider}`)
  expect(planned).toHaveLength(3)
  const silent = (await open()).filter(({ kind }) => kind === 'source_silent')
  const alone = silent.filter(({ parent_id }) => parent_id === null)
  expect(
    alone.map(({ subject_id }) => subject_id).sort(),
    JSON.stringify(alone.map(({ evidence }) => evidence)),
  ).toEqual(planned.toSorted())
  for (const { id } of silent) await probeSignal(context, id, { now })
  await runSignals(context, now)

  const kinds = new Map((await open()).map((signal) => [`${signal.subject_type} ${signal.subject_id}`, signal.kind]))
  expect(planned.map((source) => kinds.get(`source ${source}`))).toEqual([
    'hooks_lost',
    'source_silent',
    'source_silent',
  ])
  const [hooks] = (await open()).filter(({ kind }) => kind === 'hooks_lost')
  expect(hooks!.evidence.brought_in).toBe(monday.listed.length)
  expect(monday.listed.length).toBeGreaterThan(8)
  const news = (await open()).filter(({ opened_at }) => opened_at.getTime() === now.getTime()).map(({ kind }) => kind)
  expect(news).toEqual(expect.arrayContaining(['listing_suspended', 'site_offline']))
  const quiet = await db.select().from(signalsTable).where(eq(signalsTable.kind, 'all_quiet'))
  expect(quiet).toMatchObject([
    { closed_at: now, closing_evidence: { says: expect.stringContaining('Lead volume is back to normal.') } },
  ])
  const claimed = await db
    .select()
    .from(signalsTable)
    .where(and(isNull(signalsTable.claimed_by), eq(signalsTable.severity, 'severe')))
  expect(claimed.length, 'what waits for a person is a handful').toBeLessThan(9)

  await sites.close()
  await app.close()
  await Promise.all([callrail.close(), cpanel.close(), rdap.close()])
  rmSync(folder, { recursive: true })
})
