import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { demoPlaces, firstNames, lastNames } from '#app/demo/people.ts'
import { blacklistedKeywords } from '#app/demo/sample-text.ts'
import { demoTrades } from '#app/demo/trades.ts'
import { recountDuplicates } from '#domains/leads/model/duplicates.ts'

export const campaignCount = 400
/** The campaign whose timeline has 100,000 entries. */
export const eventfulCampaign = 399
const steadyMonth = 8000
/** Who is searched for: sixty leads of the steady month, twelve of them from one phone. */
export const rare = { name: 'Quillon Featherby', words: 'quillon+featherby', phone: '+15125550199' }
/** The company that CallRail sends leads of, for each of the client sites. */
export const companyOf = (site: number) => `COMbench${site}`

/**
 * When the `n`th of `$1` leads came: an agency that grew year by year; or one whose last month is the same however much is
 * behind it, which tells what a bigger table alone costs.
 */
export type Pace = 'growing' | 'steady'
const arrivals: Record<Pace, string> = {
  growing: `interval '8 years' * power(n / $1::float8, 0.75)`,
  steady: `case when n <= $1 - ${steadyMonth}
    then (interval '8 years' - interval '31 days') * (n / ($1 - ${steadyMonth})::float8)
    else interval '8 years' - interval '31 days' * (($1 - n) / ${steadyMonth}::float8) end`,
}

/**
 * A big agency made by PostgreSQL itself: `leads` leads over the eight years before now, in the order in which they came;
 * 400 campaigns of very different size; a change on every second lead.
 */
export async function seed(client: pg.Client, leads: number, pace: Pace = 'growing'): Promise<void> {
  await client.query('select setseed(0.42)')
  // As a replica, PostgreSQL runs no triggers and does not check foreign keys: the rows made here are complete and fit each other.
  await client.query(`set maintenance_work_mem = '2GB'; set work_mem = '512MB'; set session_replication_role = replica`)
  await client.query(`set leadline.records_lead_changes = on`) // they are added up once, when all are there
  await seedAgency(client)
  await client.query('alter table leads enable always trigger leads_search_text') // what the search reads
  const indexes = await takeIndexesAway(client, ['leads', 'mails', 'audit'])
  for (let first = 1; first <= leads; first += batch)
    await seedLeads(client, { count: leads, first, last: Math.min(leads, first + batch - 1), pace })
  if (pace === 'steady') await seedRare(client, leads)
  await client.query('alter table leads enable trigger leads_search_text')
  await recountDuplicates(drizzle(client))
  await seedTrail(client)
  await seedEvents(client)
  for (const index of indexes) await client.query(index)
  await client.query('vacuum (freeze, analyze)')
}

async function seedAgency(client: pg.Client) {
  await client.query(`
    insert into clients (name, emails) select 'Client ' || n, array['office' || n || '@client.example']
    from generate_series(1, 250) n`)
  await client.query(`insert into campaign_categories (name, color) select * from unnest($1::text[], $2::text[])`, [
    demoTrades.map(({ name }) => name),
    demoTrades.map(({ color }) => color),
  ])
  await client.query(
    `insert into campaigns (name, client_id, manager, start_date, initial_target, service_fee, archived)
     select ($2::text[])[1 + n % 8] || ' ' || n, 1 + n % 250, 'Morgan', current_date - (n * 7), 20, 1500, n % 12 = 0
     from generate_series(1, $1::int) n`,
    [campaignCount, demoTrades.map(({ name }) => name)],
  )
  await client.query(`insert into campaign_category_links select id, 1 + id % 8 from campaigns`)
  await client.query(`
    insert into client_sites (url, campaign_id, callrail_campaign_identifier)
    select 'https://site' || id || '.example', id, 'COMbench' || id from campaigns`)
  await client.query(
    `insert into blacklist_keywords (keyword, position) select keyword, place from unnest($1::text[]) with ordinality as list (keyword, place)`,
    [blacklistedKeywords],
  )
  await client.query(`
    insert into spammers (name, phone, phone_key)
    select 'Spammer ' || n, '+1999555' || lpad(n::text, 4, '0'), '+1999555' || lpad(n::text, 4, '0') from generate_series(1, 300) n`)
}

/** Loading first and indexing after is several times faster; answers the statements that bring them back. */
async function takeIndexesAway(client: pg.Client, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = any($1::regclass[]) and not indisprimary`,
    [tables],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

const one = (list: string) => `(${list})[1 + floor(random() * cardinality(${list}))::int]`

/** What one statement may hold in memory and on disk. */
const batch = 1_000_000

type Part = { count: number; first: number; last: number; pace: Pace }

async function seedLeads(client: pg.Client, { count, first, last, pace }: Part) {
  await client.query(
    `insert into leads (campaign_id, clientsite_id, lead_s, lead_id, occurred_at, created_at, lead_type, lead_name, lead_location,
       lead_email, lead_phone, phone_key, message, notes, duration, answered, voicemail, call_type, recording_url, tags,
       confirmed, hide, archived, first_call, client_progress, company_name, client_notes, client_value, client_profit,
       rating, rating_via, last_url, referrer, source, keywords, gclid, tracking_phone_number, tracking_source)
     select campaign, campaign, case when call then 'Callrail' else 'Formidable' end, case when call then 'CAL' || md5(n::text) else campaign || '-' || n end,
       at, at, case when call then 'Call' else 'Form' end, name, place,
       email, phone, phone,
       case when not call then 'Hi, ' || ${one('$5::text[]')} || '. ' || ${one('$6::text[]')} end,
       case when random() < 0.1 then 'Called twice, left a message.' end,
       case when call then (10 + 300 * random() * random())::int end, case when call then outcome < 0.7 end,
       call and outcome between 0.7 and 0.84,
       case when call then case when outcome < 0.7 then 'answered' when outcome < 0.84 then 'voicemail' when outcome < 0.92 then 'abandoned' else 'missed' end end,
       case when call and outcome < 0.84 then 'https://api.callrail.com/v3/a/ACC0/calls/' || n || '/recording.json' end,
       case when call and outcome between 0.7 and 0.84 then '{Voicemail}' when call and outcome > 0.96 then '{Auto Missed Call}'
         when call and outcome > 0.92 then '{After Hours}' when luck < 0.03 then '{Spam}' when luck < 0.05 then '{BLSpam}'
         when luck < 0.08 then '{Duplicate}' when luck < 0.1 then '{Low Value}' else '{}' end::text[],
       good, luck < 0.045, random() < 0.04, call and random() < 0.8, progress,
       case when progress is not null and random() < 0.08 then 'Oakwood Apartments' end,
       case when progress is not null and random() < 0.3 then 'Estimate sent, waiting for the answer.' end,
       case when progress = 1 or (progress < 5 and random() < 0.3) then round((100 + 9000 * random() * random())::numeric, 2) end,
       case when progress = 1 and random() < 0.6 then round((50 + 2000 * random())::numeric, 2) end,
       case when good and random() < 0.2 then 1 + floor(random() * 5)::int end, case when good and random() < 0.2 then 'link' end,
       'https://site' || campaign || '.example/contact', 'https://www.google.com/',
       (array['Google Organic', 'Google Organic', 'Google Maps', 'Google Maps', 'Google Paid', 'Facebook', 'Instagram', 'Google Local Services Ads', null])[1 + floor(random() * 9)::int],
       case when random() < 0.3 then 'roof repair near me' end, case when random() < 0.2 then 'Cj0KCQ' || md5(n::text || 'g') end,
       case when call then '+1512555' || lpad((campaign % 10000)::text, 4, '0') end, case when call then 'Google Organic' end
     from (
       select *, case when not call then lower(replace(name, ' ', '.') || (n % 300)) || '@example.com' end as email from (
       select n, campaign, at, call, outcome, luck, luck > 0.22 as good,
         case when luck > 0.22 and random() < 0.45 then 1 + floor(random() * 5)::int end as progress,
         ${one('$2::text[]')} || ' ' || ${one('$3::text[]')} as name, ${one('$4::text[]')} as place,
         '+1' || (2000000000 + campaign * 100000 + floor(random() * 20000)::int) as phone
       from (
         select n, 1 + floor(${campaignCount} * power(random(), 1.6))::int as campaign,
           date_trunc('day', now() - interval '8 years' + ${arrivals[pace]})
             - interval '8 hours' + interval '14 hours' * random() as at,
           random() < 0.62 as call, random() as outcome, random() as luck
         from generate_series($7::int, $8::int) n
       ) arrival
       ) person
     ) caller order by n`,
    [
      count,
      firstNames,
      lastNames,
      demoPlaces.map(({ city, state }) => `${city}, ${state}`),
      demoTrades.flatMap(({ troubles }) => troubles),
      ['Please call me after 4 pm.', 'Thanks!', 'Can you send somebody this week?', 'Text is fine too.'],
      first,
      last,
    ],
  )
}

async function seedRare(client: pg.Client, count: number) {
  await client.query(
    `update leads set lead_name = $2, lead_phone = case when id % 500 = 0 then $3 else lead_phone end,
       phone_key = case when id % 500 = 0 then $3 else phone_key end
     where id > $1 - 6000 and id % 100 = 0`,
    [count, rare.name, rare.phone],
  )
}

/** A change on every second lead, and the mail that told the client of it. */
async function seedTrail(client: pg.Client) {
  await client.query(`
    insert into audit (at, user_id, username, kind, row_id, action, before, after, version)
    select occurred_at + interval '1 hour', 1, (array['morgan', 'dana', 'chris', 'sam'])[1 + id % 4], 'lead', id, 'changed',
      '{"confirmed": false}', '{"confirmed": true}', 2
    from leads where id % 2 = 0`)
  await client.query(`
    insert into mails (lead_id, campaign_id, kind, recipients, state, created_at, handed_at, sent_at)
    select id, campaign_id, 'notification', array['office@client.example'], 'sent', created_at, created_at, created_at
    from leads where not hide`)
}

/** The edits, notes, outages and addresses of one campaign and its site in eight years. */
async function seedEvents(client: pg.Client) {
  const at = `now() - n * interval '2 hours'`
  const site = `(select min(id) from client_sites where campaign_id = ${eventfulCampaign})`
  await client.query(`
    insert into audit (at, user_id, username, kind, row_id, action, before, after)
    select ${at}, 1, 'morgan', 'campaign', ${eventfulCampaign}, 'changed', '{"service_fee": 1500}', '{"service_fee": 1600}'
    from generate_series(1, 25000) n`)
  await client.query(`
    with writer as (
      insert into users (username, email, password_hash, role) values ('morgan', 'morgan@writer.example', 'none', 'admin') returning id)
    insert into activity_items (campaign_id, date, note, user_id, is_task)
    select ${eventfulCampaign}, current_date - n % 2900, 'Changed the landing page.', writer.id, false from generate_series(1, 25000) n, writer`)
  await client.query(`
    insert into client_site_logs (site_id, created_at, status) select ${site}, ${at}, n % 2 from generate_series(1, 25000) n`)
  await client.query(`
    insert into happenings (at, kind, subject_type, subject_id, campaign_id, before, after)
    select ${at}, 'site_ip', 'client_site', ${site}, ${eventfulCampaign}, '{"ip": "192.0.2.1"}', '{"ip": "192.0.2.2"}'
    from generate_series(1, 25000) n`)
}
