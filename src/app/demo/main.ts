import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { migrateDatabase } from '#app/server/migrate.ts'
import { getErrorCode } from '#core/error-code.ts'
import { createLogger } from '#core/log/log.ts'
import { startPostgres, toConnectionUrl } from '#core/postgres/postgres.ts'
import type { AppContext } from '#domains/app-context.ts'
import { readSettings } from '#domains/app-settings.ts'
import { queueAllSyncs } from '#domains/listings/google/server/jobs.ts'
import { probeUnprobed } from '#domains/signals/server/jobs.ts'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { startCPanelStandIn } from '#integrations/fakes/cpanel.ts'
import { startGoogleStandIn } from '#integrations/fakes/google/server.ts'
import { startRdapStandIn } from '#integrations/fakes/rdap.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { startTileStandIn } from '#integrations/fakes/tiles.ts'
import { printError } from '../cli/run-command.ts'
import { closeContext, createContext, startWorkers } from '../server/context.ts'
import { createApp } from '../server/server.ts'
import { getCustomerLink } from './customer-link.ts'
import { createDemoSettings } from './demo-settings.ts'
import { type DemoMonday, liveUntilMonday } from './monday.ts'
import { SeededRandom } from './random.ts'
import { demoPassword, seedAgency } from './seed.ts'
import { seedGoogle } from './stand-ins/google.ts'
import { sendDemoLeads } from './stand-ins/hook-senders.ts'
import { startMailPage } from './stand-ins/mail-page.ts'
import { demoIpRanges, simulateOutsideWorld } from './stand-ins/outside-services.ts'
import { createTownMap } from './town-map.ts'

/**
 * `npm run demo`: an agency with sample data under DATA_DIR/demo, with local fakes of the outside services,
 * and new leads that keep coming in. `-- --fresh` starts over.
 */
const printDemoLine = (line = '') => process.stdout.write(`${line}\n`)
/** Callbacks that stop what was started; they run in reverse order. */
const closeCallbacks: (() => Promise<unknown>)[] = []
const stopController = new AbortController()

async function stopDemo(code: number) {
  if (stopController.signal.aborted) return
  stopController.abort()
  for (const close of closeCallbacks.reverse()) await close()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopDemo(0))

try {
  await startDemo()
} catch (error) {
  const isTaken = getErrorCode(error) === 'EADDRINUSE'
  if (isTaken)
    printDemoLine('This port is taken: stop what listens there, or choose another one, PORT=3001 npm run demo')
  else printError(error)
  await stopDemo(1)
}

async function startDemo() {
  const sink = await startSmtpSink()
  closeCallbacks.push(() => sink.close())
  const callrail = await startCallRailStandIn()
  closeCallbacks.push(() => callrail.close())
  const mailPage = await startMailPage(sink.letters)
  closeCallbacks.push(() => mailPage.close())

  const cpanel = await startCPanelStandIn()
  closeCallbacks.push(() => cpanel.close())
  const google = await startGoogleStandIn()
  closeCallbacks.push(() => google.close())
  const rdap = await startRdapStandIn()
  closeCallbacks.push(() => rdap.close())

  const tiles = await startTileStandIn(await createTownMap())
  closeCallbacks.push(() => tiles.close())

  const settings = createDemoSettings(readSettings(), {
    SMTP_URL: sink.url,
    ...callrail.settings,
    MAP_TILE_URL: tiles.url,
    MAP_ATTRIBUTION: 'Demo map',
    ...cpanel.settings,
    ...google.settings,
    RDAP_BOOTSTRAP_URL: rdap.bootstrap,
    RDAP_IP_BOOTSTRAP_URL: rdap.ipBootstrap,
    WHOIS_SERVER: rdap.whois,
    ALLOWED_PRIVATE_RANGES: demoIpRanges,
    SEARCH_INDEX_URL: undefined,
  })
  if (process.argv.includes('--fresh')) rmSync(settings.DATA_DIR, { recursive: true, force: true })
  const log = createLogger(settings.LOG_LEVEL)
  const server = await startPostgres({ dataDir: settings.DATA_DIR, log })
  closeCallbacks.push(() => server.stop())
  const url = toConnectionUrl(server.connection)
  await migrateDatabase(url)
  const context = await createContext(settings, url, log)
  closeCallbacks.push(() => {
    log.level = 'silent' // connections that end with the server are expected
    return closeContext(context)
  })
  const monday = await fillDatabase(context)
  callrail.calls.push(...monday.listed)
  callrail.companies.push(...(await listCompanies(context)))
  const sites = await simulateOutsideWorld(context, cpanel, rdap)
  closeCallbacks.push(() => sites.close())
  await probeUnprobed(context) // while the calls whose webhooks are lost are in CallRail's list only
  await seedGoogle(context, google)

  const app = await createApp(context)
  closeCallbacks.push(() => app.close())
  const hooks = await app.listen({ port: settings.PORT, host: settings.HOST })
  await startWorkers(context)
  await context.db.transaction((tx) => queueAllSyncs(context, tx))
  await printIntroduction(context, mailPage.url)
  const sending = sendDemoLeads(
    { context, hooks, silent: monday.silent },
    new SeededRandom(Date.now()),
    printDemoLine,
    stopController.signal,
  )
  closeCallbacks.push(() => sending)
}

/** Fills the agency on the first start, and returns its problems, which the fakes simulate on every later start too. */
async function fillDatabase(context: AppContext): Promise<DemoMonday> {
  const kept = join(context.settings.DATA_DIR, 'monday.json')
  const { rows } = await context.db.execute(sql`select 1 from campaigns limit 1`)
  if (rows.length > 0) return existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : { silent: [], listed: [] }
  printDemoLine('Filling the agency, only once ...')
  const { leads, campaigns, clients, monday } = await seedAgency(context)
  writeFileSync(kept, JSON.stringify(monday))
  await liveUntilMonday(context)
  printDemoLine(`${leads} leads in ${campaigns} campaigns of ${clients} clients`)
  return monday
}

/** The companies that CallRail would list: one for each client site. */
async function listCompanies({ db }: AppContext) {
  const { rows } = await db.execute<{ id: string; name: string }>(sql`
    select callrail_campaign_identifier as id, coalesce(host, url) as name from client_sites
    where callrail_campaign_identifier is not null and deleted_at is null`)
  return rows.map((company) => ({ ...company, status: 'active' }))
}

async function printIntroduction(context: AppContext, mails: string) {
  const { rows } = await context.db.execute<{ id: number; username: string }>(sql`
    select users.id, username from users join campaigns using (client_id) join leads on campaign_id = campaigns.id
    where role = 'customer' and users.is_active and users.deleted_at is null
    group by users.id order by count(*) desc, users.id limit 1`)
  const [customer] = rows
  printDemoLine()
  printDemoLine(`The demo is at ${context.settings.PUBLIC_URL}`)
  printDemoLine()
  printDemoLine(`  super admin     olivia    ${demoPassword}`)
  printDemoLine(`  admin           morgan    ${demoPassword}`)
  printDemoLine(`  leads handler   harper    ${demoPassword}`)
  if (customer) printDemoLine(`  customer        ${await getCustomerLink(context, customer.id)}`)
  printDemoLine()
  printDemoLine(`Emails are caught at ${mails}`)
  printDemoLine('A new lead comes in every minute or sooner. Ctrl-C stops everything.')
}
