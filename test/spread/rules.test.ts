import { expect, test } from 'vitest'
import { parsed, places } from './places.ts'
import { faultsOf } from './rules.ts'

const faults = (sql: string) => parsed(sql).flatMap((statement) => faultsOf(statement, places))

test('the script spreads leads and what hangs on them, and puts beside them what they refer to', () => {
  expect([...places.spread]).toEqual(['leads', 'mails', 'rating_keys', 'rating_saves'])
  expect([...places.everywhere]).toEqual(['clients', 'users', 'campaigns', 'client_sites'])
})

test.each([
  [
    'one campaign’s machine does whatever it is asked',
    'select * from leads where id = $1 and campaign_id = $2 for update',
  ],
  ['numbers of all', 'select count(*), max(occurred_at) from leads where archived group by source'],
  ['beside what is everywhere', 'select c.name from leads l left join campaigns c on c.id = l.campaign_id'],
  ['joined in the campaign', 'select from leads l join mails m on m.lead_id = l.id and m.campaign_id = l.campaign_id'],
  [
    'a subquery of the same campaign, with a limit',
    'select (select m.id from mails m where m.lead_id = l.id and m.campaign_id = l.campaign_id order by 1 limit 1) from leads l',
  ],
  ['a list that is made before', 'select id from leads where phone_key in (select phone_key from leads group by 1)'],
  [
    'what was found, beside the coordinator’s own',
    'with page as materialized (select id from leads) select (select max(a.id) from audit a where a.row_id = page.id) from page',
  ],
  ['a change of some', 'update leads set first_call = not first_call where id = any($1)'],
  ['a change by when', `update mails set state = 'uncertain' where handed_at < now() - interval '2 minutes'`],
  ['an insert that says where', 'insert into mails (id, lead_id, campaign_id) values (default, $1, $2) returning id'],
])('Citus runs %s', (_, sql) => {
  expect(faults(sql)).toEqual([])
})

test.each([
  ['locks rows on several machines', 'select * from leads where id = $1 for update'],
  ['locks rows on several machines', 'select * from leads where campaign_id = any($1) for no key update'],
  ['joined without campaign_id', 'select from leads l join mails m on m.lead_id = l.id'],
  ['joined to a table of the coordinator', 'select from leads l join audit a on a.row_id = l.id'],
  ['filled up from spread tables', 'select from campaigns c left join leads l on l.campaign_id = c.id'],
  [
    'a subquery that looks outside without campaign_id',
    'select (select max(m.id) from mails m where m.lead_id = l.id) from leads l',
  ],
  [
    'a subquery that looks outside without campaign_id',
    'select from client_sites s cross join lateral (select id from leads l where l.clientsite_id = s.id limit 20) newest',
  ],
  [
    'a subquery that looks outside, of a table of the coordinator',
    'select (select max(a.id) from audit a where a.row_id = l.id) from leads l',
  ],
  [
    'a subquery that looks outside, grouped without campaign_id',
    'select (select count(*) from mails m where m.campaign_id = l.campaign_id group by m.state) from leads l',
  ],
  [
    'a subquery in a subquery that looks outside, of no spread table',
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
    'on conflict sets what changes with time',
    'insert into leads (id, campaign_id) values (1, 1) on conflict (id, campaign_id) do update set created_at = now()',
  ],
  ['overwrites campaign_id', 'update leads set campaign_id = 2 where id = 1'],
  ['a change by what differs each time', 'update leads set hide = random() < 0.5'],
  ['a change from a function', 'update leads set hide = true from unnest($1::int[]) one (id) where leads.id = one.id'],
  [
    'a change elsewhere, joined to spread tables',
    'update campaigns set name = $1 from leads where leads.campaign_id = campaigns.id',
  ],
  ['returns what changes with time', 'delete from mails where id = 1 returning now()'],
])('Citus refuses a statement that is %s', (fault, sql) => {
  expect(faults(sql)).toContain(fault)
})
