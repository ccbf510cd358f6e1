import { getTableName } from 'drizzle-orm'
import pg from 'pg'
import { expect, test } from 'vitest'
import { importKinds } from '#domains/imports/labels.ts'
import { createDatabase } from '#test/database.ts'
import { ignoredReferences, importedRowReferences } from './imported-rows.ts'
import { declaredParts } from './parts.ts'

/** Without accounts: they are closed, not deleted, so what refers to them keeps its row. */
const tablesByKind = {
  clients: 'clients',
  campaigns: 'campaigns',
  'client-sites': 'client_sites',
  leads: 'leads',
  'campaign-gmbs': 'campaign_gmbs',
  'network-sites': 'network_sites',
  'redirect-domains': 'redirect_domains',
  changelog: 'activity_items',
}
const listed = Object.entries(importedRowReferences)
  .filter(([kind]) => Object.hasOwn(tablesByKind, kind))
  .flatMap(
    ([kind, references]) =>
      references.map(
        ({ column }) =>
          `${getTableName(column.table)}.${column.name} -> ${tablesByKind[kind as keyof typeof tablesByKind]}`,
      ), // its keys
  )

test('undoing an import knows every foreign key to the rows that it would remove', async () => {
  const database = await createDatabase()
  const client = new pg.Client(database.url)
  await client.connect()
  // Of several columns the first names the row; the others only say where it is stored.
  const { rows } = await client.query<{ key: string }>(`
    select format('%s.%s -> %s', conrelid::regclass, attname, confrelid::regclass) as key
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = any ('{${Object.values(tablesByKind).join()}}'::regclass[])`)
  await client.end()
  await database.drop()
  const keys = rows.map(({ key }) => key)
  const isIgnored = (key: string) => Object.hasOwn(ignoredReferences, key.split(' ')[0]!)
  expect(
    keys.filter((key) => !listed.includes(key) && !isIgnored(key)),
    'add them to imported-rows.ts',
  ).toEqual([])
  expect(Object.keys(ignoredReferences).filter((one) => !keys.some((key) => key.startsWith(`${one} `)))).toEqual([])
})

test('what an import reads into a password or a key is known as a secret, so that it is not stored with a problem', () => {
  const fields = importKinds.flatMap((kind) => declaredParts.imports[kind].fields)
  const secrets = fields.filter(({ isSecret }) => isSecret).map(({ name }) => name)
  expect(secrets.toSorted()).toEqual(['callrail_signing_key', 'password'])
  const looksSecret = /password|secret|token|\bkey\b/i
  const unmarked = fields.filter(({ name, label }) => looksSecret.test(`${name} ${label}`) && !secrets.includes(name))
  expect(unmarked.map(({ name }) => name)).toEqual([])
})
