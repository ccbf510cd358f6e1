import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { verify } from '@node-rs/argon2'
import type pg from 'pg'

export type Floor = { url: string; close(): Promise<void> }

/**
 * The floor: the same responses to the same requests, as handwritten SQL whose JSON is built by PostgreSQL and passed on by a
 * bare server. No session, no permissions, no contract, no log, no compression: nothing can be much faster than this.
 */
export async function startFloor(pool: pg.Pool): Promise<Floor> {
  const server = createServer(async (request, response) => {
    try {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://floor')
      if (request.method === 'POST') {
        response.writeHead(200, { 'content-type': 'application/json' }).end(await signedIn(pool, request))
        return
      }
      const { text, values } = pathname.endsWith('/statistic') ? statistic(searchParams) : list(searchParams)
      const { rows } = await pool.query<{ json: string }>(text, values)
      response.writeHead(200, { 'content-type': 'application/json' }).end(rows[0]!.json)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => promisify(server.close.bind(server))(),
  }
}

/** Verifies the password and writes a session, without counting attempts, delays or a second factor. */
async function signedIn(pool: pg.Pool, request: IncomingMessage): Promise<string> {
  const { username, password } = (await json(request)) as { username: string; password: string } // the bench sent it
  const { rows } = await pool.query<{ id: number; hash: string }>(
    'select id, password_hash as hash from users where username = $1',
    [username],
  )
  const { id, hash } = rows[0]!
  if (!(await verify(hash, password))) throw new Error('wrong password')
  const token = randomBytes(32).toString('base64url')
  await pool.query(
    `insert into sessions (token_hash, user_id, via, address, expires_at) values ($1, $2, 'password', '127.0.0.1', now() + interval '30 days')`,
    [createHash('sha256').update(token).digest(), id],
  )
  return JSON.stringify({ token })
}

const zone = `'America/New_York'`

function where(query: URLSearchParams) {
  const values: string[] = []
  const value = (text: string) => `$${values.push(text)}`
  const conditions = ['not leads.archived']
  const [from, to] = [query.get('date_from'), query.get('date_to')]
  if (from) conditions.push(`occurred_at >= ${value(from)}::date::timestamp at time zone ${zone}`)
  if (to) conditions.push(`occurred_at < (${value(to)}::date + 1)::timestamp at time zone ${zone}`)
  for (const word of query.get('lead_search')?.split(' ') ?? [])
    conditions.push(`search_text like '%' || fold_search(${value(word)}) || '%'`)
  return { condition: conditions.join(' and '), values }
}

function list(query: URLSearchParams) {
  const { condition, values } = where(query)
  const perPage = Number(query.get('per_page'))
  const offset = (Number(query.get('page')) - 1) * perPage
  const text = `
    select json_build_object(
      'data', (select coalesce(json_agg(lead), '[]') from (
        select ${columns} from leads left join campaigns on campaigns.id = leads.campaign_id
        where leads.id in (
          select id from leads where ${condition} order by occurred_at desc, id desc limit ${perPage} offset ${offset})
        order by occurred_at desc, leads.id desc) lead),
      'meta', json_build_object('total', (select count(*) from leads where ${condition})))::text as json`
  return { text, values }
}

const columns = `
  leads.id, campaign_id, campaigns.name as campaign_name,
  case when campaigns.id is not null then json_build_object('id', campaigns.id, 'name', campaigns.name) end as campaign,
  clientsite_id, to_char(occurred_at at time zone ${zone}, 'YYYY-MM-DD') as lead_date,
  to_char(occurred_at at time zone ${zone}, 'HH24:MI') as lead_time, lead_type, lead_s, lead_id, lead_name, lead_location,
  lead_email, lead_phone, message, duration,
  duration / 60 || ':' || lpad((duration % 60)::text, 2, '0') as duration_formatted, answered, answering_status,
  recording_url is not null as recording, leads.notes, confirmed::int, first_call,
  exists (select from leads other where other.phone_key = leads.phone_key and other.campaign_id = leads.campaign_id and other.id <> leads.id)
    or exists (select from leads other where other.email_key = leads.email_key and other.campaign_id = leads.campaign_id and other.id <> leads.id) as has_related,
  tags && array['Missed Call', 'Auto Missed Call'] as missed_call, client_progress, company_name, client_notes,
  client_value, client_profit, rating::text, rating_via, (unconfirmed_rating is not null)::int as rating_unconfirmed, notify, leads.archived::int, leads.version,
  (select coalesce(json_agg(json_build_object('name', tag)), '[]') from unnest(tags) tag) as tags,
  tracking_phone_number, tracking_source, hide::int,
  (select json_build_object('kind', kind, 'state', state, 'at', to_char(sent_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
    from mails where lead_id = leads.id order by id desc limit 1) as mail,
  (select coalesce(json_agg(json_build_object('username', username) order by last desc), '[]') from (
    select username, max(id) as last from audit where kind = 'lead' and row_id = leads.id and action = 'changed' and username is not null
    group by username) changer) as changers,
  last_url, referrer, source, source_stated, keywords, gclid, gbraid, wbraid, msclkid, fbclid`

function statistic(query: URLSearchParams) {
  const { condition, values } = where(query)
  const count = (test: string) => `count(*) filter (where ${test})`
  const each = (names: readonly string[], test: (index: number) => string) =>
    `json_build_object(${names.map((name, index) => `'${name}', ${count(test(index))}`).join(', ')})`
  const text = `
    select json_build_object(
      'countByType', ${each(['Form', 'Call'], (index) => `facets & 1 = ${index}`)},
      'countByAnsweringStatus', ${each(['Abandoned', 'Answered', 'Unanswered', 'Missed'], (index) => `facets >> 1 & 7 = ${index + 1}`)},
      'countByClientProgress', ${each(['1', '2', '3', '4', '5'], (index) => `facets >> 4 & 7 = ${index + 1}`)},
      'countBySource', ${each(sources, (index) => `facets >> 7 & 7 = ${index + 1}`)},
      'confirmedCount', ${count('facets & 1024 <> 0')}, 'unmarkedCount', ${count('facets & 2048 <> 0')},
      'firstCallCount', ${count('facets & 4096 <> 0')}, 'voiceMailCount', ${count('facets & 8192 <> 0')},
      'voiceMailIssuesCount', ${count('facets & 16384 <> 0')},
      'totalValue', coalesce(sum(client_value), 0), 'totalProfit', coalesce(sum(client_profit), 0),
      'totalWonValue', coalesce(sum(client_value) filter (where facets >> 4 & 7 = 1), 0),
      'totalWonProfit', coalesce(sum(client_profit) filter (where facets >> 4 & 7 = 1), 0),
      'averageRating', round(avg(nullif(facets >> 17 & 7, 0)), 2),
      'noFeedbackCount', ${count('facets & 1048576 <> 0')}, 'notRatedCount', ${count('facets >> 17 & 7 = 0')})::text as json
    from leads where ${condition}`
  return { text, values }
}

const sources = ['Google Organic', 'Google Paid', 'Google Maps', 'Facebook', 'Instagram', 'Google Local Services Ads']
