import { sql } from 'drizzle-orm'
import { closeContext, createContext } from '#app/server/context.ts'
import type { Db } from '#core/db/db.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { readHistories } from '#domains/leads/callrail/server/read-history.ts'
import { readHistory, removeHistoryLeads, startHistory, stopHistory } from '#domains/leads/public.ts'
import { type CallRailStandIn, startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { startBenchServer } from './bench-server.ts'
import { day } from './cases.ts'
import { openDatabase } from './database.ts'
import { closeConnections, summarizeTimes, timedGet } from './http-client.ts'
import { say } from './report.ts'

const [calls, companies, months] = [100_000, 60, 25]
const lists = `/api/leads/list/data?page=1&per_page=50&sort=lead_date&order=desc&date_from=${day(30)}&date_to=${day(0)}`

/**
 * Reads the history of an account of CallRail, from a stand-in without limits, into a database of that size, while one person reads the list
 * of a month without pauses; then takes the leads back.
 */
export async function measureHistory(leads: number): Promise<void> {
  const database = await openDatabase(leads)
  const ours = await startBenchServer('ours', database.url)
  const callrail = await startCallRailStandIn()
  const settings = {
    DATABASE_URL: database.url,
    PORT: '0',
    APP_ENV: 'test',
    SECRET_KEY: '5e'.repeat(32),
    LOG_LEVEL: 'warn',
  }
  const context = await createContext(parseSettings({ ...settings, ...callrail.settings }), database.url)
  const { db } = context
  try {
    await listCalls(db, callrail)
    const { rows } = await db.execute<{ id: number }>(
      sql`select id from connections where kind = 'callrail' and account_id = ${callrail.settings.CALLRAIL_ACCOUNT_ID}`,
    )
    const connection = rows[0]!.id // made by the context
    const started = performance.now()
    await db.transaction((tx) => startHistory(tx, context, connection))
    let isReading = true
    const times: number[] = []
    const listing = (async () => {
      while (isReading) times.push((await timedGet(ours, lists)).ms)
    })()
    while ((await readHistory(db, connection))?.state === 'reading') {
      // CallRail's limit is not what is measured.
      await db.execute(sql`delete from callrail_requests`)
      await readHistories(context)
    }
    const seconds = (performance.now() - started) / 1000
    isReading = false
    await listing
    const done = (await readHistory(db, connection))!
    const { median, ninetyFifth } = summarizeTimes(times)
    say(
      `history: ${done.read} calls, ${done.made} leads, ${done.state} ${done.says ?? ''} in ${Math.round(seconds)} s (goal 900)`,
    )
    say(
      `the list of a month at the same time: median ${median.toFixed(1)} ms, p95 ${ninetyFifth.toFixed(1)} ms (goal 200), ${times.length} reads`,
    )
    await db.transaction((tx) => stopHistory(tx, connection))
    while (!(await db.transaction((tx) => removeHistoryLeads(tx, connection))).isDone);
    await db.execute(sql`delete from callrail_histories`)
  } finally {
    closeConnections()
    await closeContext(context)
    await Promise.all([ours.stop(), callrail.close()])
    await database.stop()
  }
}

/** Gives sixty client sites a company each, and the account its calls, evenly over 25 months. */
async function listCalls(db: Db, callrail: CallRailStandIn): Promise<void> {
  await db.execute(sql`
    update client_sites set callrail_campaign_identifier = 'COMH' || nth
    from (select id, row_number() over (order by id) - 1 as nth from client_sites where campaign_id is not null and deleted_at is null) site
    where site.id = client_sites.id and nth < ${companies}`)
  const [now, span] = [Date.now(), months * 30 * 86_400_000]
  callrail.calls = Array.from({ length: calls }, (_, nth) => ({
    id: `CALhistory${nth}`,
    company_id: `COMH${nth % companies}`,
    start_time: new Date(now - ((nth + 1) / calls) * span).toISOString(),
    call_type: nth % 3 === 0 ? 'missed' : 'answered',
    answered: nth % 3 !== 0,
    voicemail: false,
    duration: 20 + (nth % 300),
    direction: 'inbound',
    customer_name: `Caller ${nth}`,
    customer_phone_number: `+1512${String(2_000_000 + (nth % 60_000))}`,
    formatted_customer_location: 'Austin, TX',
    tracking_phone_number: '+15125550180',
    source: 'Google Organic',
    recording: nth % 2 === 0 ? `https://app.callrail.com/calls/${nth}/recording/redirect` : null,
  }))
}
