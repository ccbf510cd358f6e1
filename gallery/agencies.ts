import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { closeContext, createContext } from '#app/server/context.ts'
import { migrateDatabase } from '#app/server/migrate.ts'
import { createApp } from '#app/server/server.ts'
import type { Db } from '#core/db/db.ts'
import { startPostgres, toConnectionUrl } from '#core/postgres/postgres.ts'
import { startSession } from '#domains/access/server/session-tokens.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { recountDuplicates } from '#domains/leads/model/duplicates.ts'
import { createFactories, type Factories } from '#test/factories.ts'
import type { Visitor } from './demo.ts'

export type Agency = { name: string; url: string; people: Visitor[] }

/** Agencies with nothing, with one of each thing, and with ten thousand, which the demo does not show. No outside service is connected. */
export async function startAgencies(): Promise<{ agencies: Agency[]; stop: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'leadline-gallery-'))
  chmodSync(dataDir, 0o711) // as root, PostgreSQL runs as another user, who needs access
  const log = { debug() {}, info() {}, warn: console.warn }
  const server = await startPostgres({ dataDir, settings: { fsync: 'off' }, log })
  const open = [() => server.stop()]
  const agencies: Agency[] = []
  for (const [name, fill] of Object.entries(fillings)) {
    await withClient(toConnectionUrl(server.connection), (client) => client.query(`create database ${name}`))
    const url = toConnectionUrl(server.connection, name)
    await migrateDatabase(url)
    const settings = parseSettings({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', SECRET_KEY: '5e'.repeat(32) })
    const context = await createContext(settings, url)
    open.push(() => closeContext(context))
    const make = createFactories(context)
    const people = await hire(make)
    await fill(make, context.db)
    const app = await createApp(context)
    open.push(() => app.close())
    await app.listen({ port: 0, host: '127.0.0.1' })
    const at = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` // it listens on a port
    const visitors = people.map(({ id, role }) => ({
      name: role.replace('_', '-'),
      enter: async (browser: Parameters<Visitor['enter']>[0]) => {
        const token = await startSession(context.db, id, 'password', '127.0.0.1')
        await browser.addCookies([{ name: 'leadline_token', value: token, url: at }])
        return token
      },
    }))
    agencies.push({ name, url: at, people: visitors })
  }
  return {
    agencies,
    stop: async () => {
      for (const close of open.reverse()) await close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Even an empty agency has a person who signs in. */
const hire = async (make: Factories) => [
  await make.superAdmin({ username: 'olivia' }),
  await make.handler({ username: 'harper' }),
  await make.customer({ username: 'sunrise' }),
]

type Fill = (make: Factories, db: Db) => Promise<unknown>
const fillings: Record<string, Fill> = { empty: async () => {}, one: makeOne, many: makeMany }

export async function makeOne(make: Factories, db: Db) {
  const { id: client_id } = await make.client({ name: 'Sunrise Roofing', emails: ['office@sunrise.example'] })
  const { id: category } = await make.category({ name: 'Roofing' })
  const { id: campaign_id } = await make.campaign({
    name: 'Sunrise Roofing, Austin',
    client_id,
    categories: [category],
  })
  const { id: clientsite_id } = await make.clientSite({ campaign_id })
  const lead = { campaign_id, clientsite_id, lead_email: 'ann@example.com', lead_phone: '+15125550100' }
  await make.lead({ ...lead, phone_key: lead.lead_phone, lead_name: 'Ann Martinez', message: 'My roof leaks.' })
  await make.lead({ ...lead, phone_key: lead.lead_phone, lead_name: 'Ann Martinez', archived: true })
  await make.gmb({ campaign_id })
  await make.team({ name: 'Content' })
  await make.activityItem({ campaign_id })
  const { id: network_site_id } = await make.networkSite({})
  await make.outgoingLink({ network_site_id })
  await make.admin({ username: 'morgan', campaigns: [campaign_id] })
  await db.execute(sql`insert into ips (ip) values ('192.0.2.1')`)
  await db.execute(
    sql`insert into redirect_domains (domain, redirect_url, domainkey) values ('old.example', 'https://new.example', 'old')`,
  )
  await db.execute(sql`insert into user_campaigns select id, ${campaign_id} from users where role = 'leads_handler'`)
  await db.execute(sql`update campaigns set client_id = (select client_id from users where role = 'customer')`)
}

/** Copies one row of each table ten thousand times, in PostgreSQL. */
async function makeMany(make: Factories, db: Db) {
  await makeOne(make, db)
  for (const [table, changes] of Object.entries(multiplied)) {
    const { rows } = await db.execute<{ name: string }>(sql`
      select column_name as name from information_schema.columns
      where table_name = ${table} and table_schema = 'public' and is_generated = 'NEVER' and is_identity = 'NO'`)
    const names = rows.map(({ name }) => name)
    const values = names.map((name) => changes[name] ?? `first.${name}`)
    await db.execute(
      sql.raw(`
        insert into ${table} (${names.join(', ')}) select ${values.join(', ')}
        from (select * from ${table} order by id limit 1) first, generate_series(2, 10000) n`),
    )
  }
  await recountDuplicates(db)
  await db.execute(sql`analyze`)
}

/** What differs from the first row, by table: `n` counts from 2. */
const multiplied: Record<string, Record<string, string>> = {
  clients: { name: `'Client ' || n` },
  campaigns: { name: `'Campaign ' || n` },
  client_sites: { url: `'https://site-' || n || '.example'` },
  leads: {
    lead_id: `'many-' || n`,
    occurred_at: `now() - n * interval '4 minutes'`,
    lead_name: `'Person ' || n`,
    lead_email: `'person' || n || '@example.com'`,
    lead_phone: `'+1512' || 5550000 + n`,
    phone_key: `'+1512' || 5550000 + n`,
  },
  campaign_gmbs: { title: `'Listing ' || n`, link: `'https://maps.google.com/maps?cid=' || 10000000000000000 + n` },
  activity_items: { date: 'first.date - n / 30', note: `'Note ' || n` },
  network_sites: { url: `'https://network-' || n || '.example'` },
  outgoing_links: { url: `'https://linked-' || n || '.example/'`, key: `'many-' || n` },
  ips: { ip: `'10.0.' || n / 250 || '.' || n % 250` },
  redirect_domains: { domain: `'old-' || n || '.example'`, domainkey: `'old-' || n` },
}

async function withClient<Answer>(url: string, run: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}
