import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { migrate } from '#core/db/migrate.ts'
import { createLog } from '#core/log/log.ts'
import { connectionUrl, startPostgres } from '#core/postgres/postgres.ts'
import { readSettings, type Settings } from '#core/settings/settings.ts'
import { syncSoon } from '#domains/listings/google/server/jobs.ts'
import { startCallRail } from '#integrations/fakes/callrail.ts'
import { startCPanel } from '#integrations/fakes/cpanel.ts'
import { startGoogle } from '#integrations/fakes/google/server.ts'
import { startRdap } from '#integrations/fakes/rdap.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { startTiles } from '#integrations/fakes/tiles.ts'
import { complain } from '../cli/run-command.ts'
import { furnish, leave, startWork } from '../server/context.ts'
import { createApp } from '../server/server.ts'
import { customerLink } from './customer-link.ts'
import { fillGoogle } from './google.ts'
import { keepSending } from './hook-senders.ts'
import { startMailPage } from './mail-page.ts'
import { demoRanges, moveIn } from './outside-services.ts'
import { Dice } from './random.ts'
import { demoPassword, seedAgency } from './seed.ts'
import { townMap } from './town-map.ts'

/**
 * `npm run demo`: a filled agency of its own under DATA_DIR/demo, with stand-ins on this machine for the outside services,
 * and new leads that keep coming in. `-- --fresh` begins anew.
 */
const say = (line = '') => process.stdout.write(`${line}\n`)
/** What has been started, to be stopped in the opposite order. */
const open: (() => Promise<unknown>)[] = []
const ending = new AbortController()

async function leaveDemo(code: number) {
  if (ending.signal.aborted) return
  ending.abort()
  for (const close of open.reverse()) await close()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => leaveDemo(0))

try {
  await start()
} catch (error) {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  if (isTaken) say('This port is taken: stop what listens there, or choose another one, PORT=3001 npm run demo')
  else complain(error)
  await leaveDemo(1)
}

async function start() {
  const sink = await startSmtpSink()
  open.push(() => sink.close())
  const callrail = await startCallRail()
  open.push(() => callrail.close())
  const mailPage = await startMailPage(sink.letters)
  open.push(() => mailPage.close())

  const cpanel = await startCPanel()
  open.push(() => cpanel.close())
  const google = await startGoogle()
  open.push(() => google.close())
  const rdap = await startRdap()
  open.push(() => rdap.close())

  const tiles = await startTiles(await townMap())
  open.push(() => tiles.close())

  const settings = demoSettings(readSettings(), {
    SMTP_URL: sink.url,
    CALLRAIL_API_URL: callrail.url,
    CALLRAIL_ACCOUNT_ID: callrail.accountId,
    CALLRAIL_API_KEY: callrail.apiKey,
    MAP_TILE_URL: tiles.url,
    MAP_ATTRIBUTION: 'A drawing for the demo',
    ...cpanel.settings,
    ...google.settings,
    RDAP_BOOTSTRAP_URL: rdap.bootstrap,
    RDAP_IP_BOOTSTRAP_URL: rdap.ipBootstrap,
    WHOIS_SERVER: rdap.whois,
    ALLOWED_PRIVATE_RANGES: demoRanges,
    SEARCH_INDEX_URL: undefined,
  })
  if (process.argv.includes('--fresh')) rmSync(settings.DATA_DIR, { recursive: true, force: true })
  const log = createLog(settings.LOG_LEVEL)
  const server = await startPostgres({ dataDir: settings.DATA_DIR, log })
  open.push(() => server.stop())
  const url = connectionUrl(server.connection)
  await migrate(url)
  const house = await furnish(settings, url, log)
  open.push(() => {
    log.level = 'silent' // connections that end with the server are no news any more
    return leave(house)
  })
  await fill(house)
  const sites = await moveIn(house, cpanel, rdap)
  open.push(() => sites.close())
  await fillGoogle(house, google)

  const app = await createApp(house)
  open.push(() => app.close())
  const hooks = await app.listen({ port: settings.PORT, host: settings.HOST })
  await startWork(house)
  await house.db.transaction((tx) => syncSoon(house, tx))
  await introduce(house, mailPage.url)
  const sending = keepSending({ house, hooks }, new Dice(Date.now()), say, ending.signal)
  open.push(() => sending)
}

/** The operator's own choices of port and address, and nothing of their real database, keys and mail server. */
function demoSettings(own: Settings, standIns: Partial<Settings>): Settings {
  return {
    ...own,
    ...standIns,
    DATA_DIR: join(own.DATA_DIR, 'demo'),
    DATABASE_URL: undefined,
    DATABASE_SESSION_URL: undefined,
    DATABASE_REPLICA_URL: undefined,
    SECRET_KEY: undefined,
    LEADLINE_ROLE: undefined,
    CALLRAIL_SIGNING_KEY: 'the-demo-signs-with-this',
    LOG_LEVEL: own.LOG_LEVEL === 'info' ? 'warn' : own.LOG_LEVEL, // the terminal is for what follows
  }
}

async function fill(house: House) {
  const { rows } = await house.db.execute(sql`select 1 from campaigns limit 1`)
  if (rows.length > 0) return
  say('Filling the agency, once ...')
  const { leads, campaigns, clients } = await seedAgency(house)
  say(`${leads} leads in ${campaigns} campaigns of ${clients} clients`)
}

async function introduce(house: House, mails: string) {
  const { rows } = await house.db.execute<{ id: number; username: string }>(sql`
    select users.id, username from users join campaigns using (client_id) join leads on campaign_id = campaigns.id
    where role = 'customer' and users.is_active and users.deleted_at is null
    group by users.id order by count(*) desc, users.id limit 1`)
  const [customer] = rows
  say()
  say(`The demo is at ${house.settings.PUBLIC_URL}`)
  say()
  say(`  super admin     olivia    ${demoPassword}`)
  say(`  admin           morgan    ${demoPassword}`)
  say(`  leads handler   harper    ${demoPassword}`)
  if (customer) say(`  customer        ${await customerLink(house, customer.id)}`)
  say()
  say(`Mails are caught at ${mails}`)
  say('A new lead comes in every minute or sooner. Ctrl-C stops everything.')
}
