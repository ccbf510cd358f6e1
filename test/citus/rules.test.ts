import { expect, test } from 'vitest'
import { distribution, parseStatements } from './distribution.ts'
import { findViolations } from './rules.ts'

const violationsIn = (sql: string) =>
  parseStatements(sql).flatMap((statement) => findViolations(statement, distribution))

test('the script distributes leads and their dependent tables, and nothing else', () => {
  expect([...distribution.distributed]).toEqual(['leads', 'mails', 'rating_keys', 'rating_saves'])
})

test.each([
  ['anything that is routed to one campaign', 'select * from leads where id = $1 and campaign_id = $2 for update'],
  ['aggregates over all', 'select count(*), max(occurred_at) from leads where archived group by source'],
  [
    'a join with a small table of the coordinator',
    'select c.name from leads l left join campaigns c on c.id = l.campaign_id',
  ],
  [
    'a join within the campaign',
    'select from leads l join mails m on m.lead_id = l.id and m.campaign_id = l.campaign_id',
  ],
  [
    'a subquery of the same campaign, with a limit',
    'select (select m.id from mails m where m.lead_id = l.id and m.campaign_id = l.campaign_id order by 1 limit 1) from leads l',
  ],
  ['an uncorrelated subquery', 'select id from leads where phone_key in (select phone_key from leads group by 1)'],
  [
    'a local table beside a materialized result',
    'with page as materialized (select id from leads) select (select max(a.id) from audit a where a.row_id = page.id) from page',
  ],
  ['a change of some rows', 'update leads set first_call = not first_call where id = any($1)'],
  ['a change by time', `update mails set state = 'uncertain' where handed_at < now() - interval '2 minutes'`],
  [
    'a change by a time without a zone',
    `update mails set sent_at = (sent_at at time zone 'utc' - interval '1 day') at time zone 'utc'`,
  ],
  [
    'a correlated subquery without columns',
    'select from leads l where exists (select from leads o where o.campaign_id = l.campaign_id)',
  ],
  ['an insert with its campaign', 'insert into mails (id, lead_id, campaign_id) values (default, $1, $2) returning id'],
])('Citus runs %s', (_, sql) => {
  expect(violationsIn(sql)).toEqual([])
})

test.each([
  ['locks rows on several nodes', 'select * from leads where id = $1 for update'],
  ['locks rows on several nodes', 'select * from leads where campaign_id = any($1) for no key update'],
  [
    'locks rows of a joined table',
    'select l.id from leads l join campaigns c on c.id = l.campaign_id where l.campaign_id = $1 and l.id = $2 for update',
  ],
  ['false beside an outer join', 'select l.id from leads l left join campaigns c on c.id = l.campaign_id where false'],
  ['joined without campaign_id', 'select from leads l join mails m on m.lead_id = l.id'],
  ['joined to a local table', 'select from leads l join audit a on a.row_id = l.id'],
  ['outer join to a distributed table', 'select from campaigns c left join leads l on l.campaign_id = c.id'],
  [
    'a correlated subquery without campaign_id',
    'select (select max(m.id) from mails m where m.lead_id = l.id) from leads l',
  ],
  [
    'a correlated subquery without campaign_id',
    'select from client_sites s cross join lateral (select id from leads l where l.clientsite_id = s.id limit 20) newest',
  ],
  [
    'a correlated subquery of a local table',
    'select (select max(a.id) from audit a where a.row_id = l.id) from leads l',
  ],
  [
    'a correlated subquery, grouped without campaign_id',
    'select (select count(*) from mails m where m.campaign_id = l.campaign_id group by m.state) from leads l',
  ],
  [
    'a correlated subquery in a correlated subquery of no distributed table',
    'select (select (select l.id + one.n) from unnest(l.tags) one (n)) from leads l',
  ],
  ['a whole row of a subquery', 'select row_to_json(lead) from (select id from leads) lead, leads'],
  ['grouping sets', 'select count(*) from leads group by grouping sets ((source), (hide))'],
  ['a recursive query', 'with recursive r as (select id from leads union all select id from r) select * from r'],
  ['an insert without campaign_id', 'insert into leads (lead_id) values ($1)'],
  ['a subquery among the values', 'insert into leads (campaign_id) values ((select max(id) from campaigns))'],
  [
    'on conflict without campaign_id',
    'insert into leads (campaign_id) values (1) on conflict (lead_s, lead_id) do nothing',
  ],
  [
    'on conflict sets a non-immutable value',
    'insert into leads (id, campaign_id) values (1, 1) on conflict (id, campaign_id) do update set created_at = now()',
  ],
  ['overwrites campaign_id', 'update leads set campaign_id = 2 where id = 1'],
  ['a change by a volatile function', 'update leads set hide = random() < 0.5'],
  ['a change by a stable function of a column', `update mails set sent_at = sent_at - interval '1 day' where id = 1`],
  [
    'a change by a stable function of a column',
    `update leads set notes = concat_ws(' ', notes, $1) where campaign_id = 1`,
  ],
  [
    'a stable function in a case or coalesce of a change',
    `update leads set hide = true where case when concat_ws(' ', $1, $2) = '' then hide end`,
  ],
  [
    'a subquery without columns that runs on its own',
    'select case when exists (select from lead_sums_zone) then (select count(*) from leads) end',
  ],
  ['a subquery without columns that runs on its own', 'select exists (select from leads where archived)'],
  ['a change from a function', 'update leads set hide = true from unnest($1::int[]) one (id) where leads.id = one.id'],
  [
    'a change of another table, joined to distributed tables',
    'update campaigns set name = $1 from leads where leads.campaign_id = campaigns.id',
  ],
  ['returns a non-immutable value', 'delete from mails where id = 1 returning now()'],
])('Citus refuses %s', (violation, sql) => {
  expect(violationsIn(sql)).toContain(violation)
})
