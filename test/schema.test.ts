import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { projectRoot } from '#core/settings/settings.ts'
import { checkFilterList, choiceFilterList, isShownTest } from '#domains/leads/filters.ts'
import { readCatalog } from './catalog.ts'
import { createDatabase } from './database.ts'

/** The bits that each test of a filter reads. */
const facetMasks = new Set([
  ...checkFilterList.map(([, { test }]) => test.mask),
  ...choiceFilterList.map(([, { bits }]) => bits.mask),
  isShownTest.mask,
])

/**
 * What migrations add by hand, because drizzle-kit cannot express it. A migration that it generates may take some away without a word:
 * a generated column is dropped and created again, and everything that reads it goes with it.
 */
const addedByHand = [
  'extension pg_trgm',
  'extension plpgsql',
  'function audit_is_append_only()',
  'function erase_fields(value jsonb, names text[], tombstone text)',
  'function erase_mentions(value jsonb, pattern text, tombstone text)',
  'function fold_letters(value text)',
  'function fold_search(value text)',
  'function fold_text(value text)',
  'function happenings_are_append_only()',
  'function is_erasing_a_person()',
  'function lead_search_text(lead_name text, lead_email text, lead_phone text, phone_key text, message text, lead_location text, company_name text, notes text, client_notes text)',
  'function mark_sums_changed()',
  'function newest_leads(providers text[], most integer)',
  'function notify_rights_change()',
  'function record_lead_changes()',
  'function set_lead_search_text()',
  'index leads_archive ON leads USING btree (occurred_at DESC, id DESC) INCLUDE (campaign_id, facets, client_value, client_profit) WHERE archived',
  'index leads_campaign ON leads USING btree (campaign_id, occurred_at DESC, id DESC) INCLUDE (archived, facets, client_value, client_profit)',
  'index leads_list ON leads USING btree (occurred_at DESC, id DESC) INCLUDE (campaign_id, facets, client_value, client_profit) WHERE (NOT archived)',
  "index leads_search ON leads USING gin ((ARRAY[(floor((EXTRACT(epoch FROM (occurred_at AT TIME ZONE 'UTC'::text)) / (604800)::numeric)))::integer]), search_text gin_trgm_ops)",
  'index leads_shared ON leads USING btree (occurred_at DESC, id DESC) INCLUDE (campaign_id, phone_key, email_key) WHERE (phone_shared OR email_shared)',
  "index leads_tags ON leads USING gin (tags) WHERE (tags <> '{}'::text[])",
  ...[...facetMasks].map((mask) => `statistics leads_facets_${mask} ON (facets & ${mask}) FROM leads`),
  'table lead_changes {autovacuum_vacuum_scale_factor=0,autovacuum_vacuum_threshold=1000}',
  'table lead_sums {fillfactor=80}',
  'table leads {autovacuum_vacuum_insert_threshold=1000,autovacuum_vacuum_insert_scale_factor=0,autovacuum_vacuum_scale_factor=0.02,autovacuum_analyze_scale_factor=0.02}',
  'trigger api_keys_rights',
  'trigger audit_append_only',
  'trigger audit_no_truncate',
  'trigger campaigns_rights',
  'trigger happenings_append_only',
  'trigger happenings_no_truncate',
  'trigger lead_sums_changed',
  'trigger leads_added_elsewhere',
  'trigger leads_changed_elsewhere',
  'trigger leads_search_text',
  'trigger leads_taken_elsewhere',
  'trigger sessions_rights',
  'trigger user_campaigns_rights',
  'trigger users_rights',
]

type Snapshot = {
  tables: Record<string, { name: string; columns: Record<string, unknown>; indexes: Record<string, unknown> }>
}

test('after all migrations the database has every column and index of the schema, and what was added by hand, and nothing else', async () => {
  const folder = join(projectRoot, 'migrations/meta')
  const newest = readdirSync(folder)
    .filter((file) => file.endsWith('_snapshot.json'))
    .toSorted()
    .at(-1)!
  const tables = Object.values((JSON.parse(readFileSync(join(folder, newest), 'utf8')) as Snapshot).tables)
  const declared = tables.flatMap(({ name, columns, indexes }) => [
    ...Object.keys(columns).map((column) => `column ${name}.${column}`),
    ...Object.keys(indexes).map((index) => `index ${index}`),
    `table ${name}`,
  ])

  const database = await createDatabase()
  const client = new pg.Client(database.url)
  await client.connect()
  const catalog = await readCatalog(client)
  await client.end()
  await database.drop()
  const constraints = catalog.flatMap((line) => /^constraint \S+ (\S+) (?:PRIMARY KEY|UNIQUE)/.exec(line)?.[1] ?? [])
  const found = catalog.flatMap((line) => shorten(line, constraints))
  const byName = new Map(found.map((line) => [/^\w+ [^ {]+/.exec(line)![0], line]))
  const help = 'In a schema.ts and not in the database: generate its migration, or create again what it dropped'
  expect(
    declared.filter((name) => !byName.has(name)),
    help,
  ).toEqual([])
  const ofDrizzle = new Set(declared.filter((name) => !addedByHand.some((line) => line.startsWith(`${name} `))))
  const others = [...byName].filter(([name]) => !ofDrizzle.has(name)).map(([, line]) => line)
  expect(others.toSorted(), 'What only a migration says is named in `addedByHand`').toEqual(addedByHand.toSorted())
})

/** Returns a line of the catalog as `addedByHand` spells it; none for constraints and sequences, which their tables declare. */
function shorten(line: string, constraints: string[]): string[] {
  const [kind] = line.split(' ')
  if (kind === 'constraint' || kind === 'sequence') return []
  if (kind === 'trigger') return [line.replace(/CREATE TRIGGER (\w+).*/s, '$1')]
  if (kind === 'function') return [line.replace(/CREATE OR REPLACE FUNCTION public\.(.*?)\n.*/s, '$1')]
  const text = line.replace(/CREATE (UNIQUE )?(INDEX|STATISTICS) /, '').replaceAll('public.', '')
  return kind === 'index' && constraints.some((name) => text.startsWith(`index ${name} `)) ? [] : [text.trim()]
}
