import { parseArgs } from 'node:util'
import { measureBatch } from './batch.ts'
import { startBenchServer } from './bench-server.ts'
import { measureBrowser, measureTriageAlone } from './browser.ts'
import { cases } from './cases.ts'
import { openDatabase, withClient } from './database.ts'
import { measureDetection } from './detection.ts'
import { measureErasure } from './erasures.ts'
import { measureExport } from './export.ts'
import { measureForecasts } from './forecasts.ts'
import { measureGrowth } from './growth.ts'
import { measureHistory } from './history.ts'
import { closeConnections } from './http-client.ts'
import { measureInDatabase } from './in-database.ts'
import { measureIntake } from './intake.ts'
import { keep } from './page.ts'
import { measurePeer } from './peer.ts'
import { measurePlanMemory } from './plan-memory.ts'
import { measureReads } from './reads.ts'
import { measureRehearsals } from './rehearsals.ts'
import { machine, print, type Results, say } from './report.ts'
import { measureSigningIn } from './signing-in.ts'
import { measureSiteChecks } from './site-checks.ts'
import { measureStaff } from './staff.ts'
import { measureSteadyHooks } from './steady-hooks.ts'

/**
 * npm run bench -- [--leads 1000000] [--rounds 3] [--only list|search|statistics|database|detection|export|signing-in|staff|batch|erasure|intake|steady-hooks|peer]:
 * prints one table, and saves a full run. Separate runs: --only browser, --only triage, --only rehearsal, --only forecasts, --only checks, --only history, --only plan-memory,
 * and --only growth [--sizes 10000,100000,1000000,10000000].
 */
const { values } = parseArgs({
  options: {
    leads: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    sites: { type: 'string', default: '5000' },
    sizes: { type: 'string', default: '10000,100000,1000000,10000000' },
  },
})
const { only } = values
const [leads, rounds] = [Number(values.leads), Number(values.rounds)]
if (!(leads >= 1000 && leads <= 10_000_000) || !(rounds >= 1)) {
  say('--leads is 1000 to 10000000, --rounds at least 1')
  process.exit(1)
}

if (only === 'browser') {
  await measureBrowser()
  process.exit(0)
}

if (only === 'triage') {
  await measureTriageAlone()
  process.exit(0)
}

if (only === 'growth') {
  await measureGrowth(values.sizes.split(',').map(Number), rounds)
  process.exit(0)
}

if (only === 'forecasts') {
  await measureForecasts(leads, rounds)
  process.exit(0)
}

if (only === 'history') {
  await measureHistory(leads)
  process.exit(0)
}

if (only === 'plan-memory') {
  await measurePlanMemory()
  process.exit(0)
}

if (only === 'checks') {
  await measureSiteChecks(Number(values.sites))
  process.exit(0)
}

const database = await openDatabase(leads)
const [ours, floor] = await Promise.all([
  startBenchServer('ours', database.url),
  startBenchServer('floor', database.url),
])
try {
  if (only === 'rehearsal') await measureRehearsals(ours, database, leads)
  else await measureAll()
} finally {
  closeConnections()
  await Promise.all([ours.stop(), floor.stop()])
  await database.stop()
}

async function measureAll() {
  const { rows } = await withClient(database.url, (client) =>
    client.query<{ server_version: string }>('show server_version'),
  )
  const results: Results = {
    date: new Date().toISOString().slice(0, 10),
    command: `npm run bench${leads === 1_000_000 ? '' : ` -- --leads ${leads}`}`,
    leads,
    rounds,
    machine: machine(rows[0]!.server_version),
    reads: await measureReads(
      ours,
      floor,
      database.url,
      cases.filter(({ name }) => !only || name.includes(only)),
      rounds,
    ),
    inDatabase: !only || only === 'database' ? await measureInDatabase(ours, database) : [],
    detection: !only || only === 'detection' ? await measureDetection() : null,
    export: !only || only === 'export' ? await measureExport(ours, database, rounds) : null,
    signingIn: !only || only === 'signing-in' ? await measureSigningIn(ours, floor, database, rounds) : null,
    staff: !only || only === 'staff' ? await measureStaff(ours, database) : null,
    batch: !only || only === 'batch' ? await measureBatch(ours, database) : null,
    erasure: !only || only === 'erasure' ? await measureErasure(ours, database) : null,
    intake: !only || only === 'intake' ? await measureIntake(ours, database, rounds) : null,
    steadyHooks: !only || only === 'steady-hooks' ? await measureSteadyHooks(ours, database) : null,
    peer: !only || only === 'peer' ? await measurePeer(ours, database, rounds) : null,
  }
  print(results)
  if (!only) keep('latest', results)
}
