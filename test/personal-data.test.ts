import { getTableName } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exemptTables } from '#domains/audit/erasures/exempt-tables.ts'
import { allPersonalData } from '#domains/audit/erasures/server/erase-person.ts'
import { createDatabase } from '#test/database.ts'

/** The text, JSON and bytes of every table, as PostgreSQL has them: an erasure goes through all of it, or says why not. */
let columns: { table: string; column: string }[]
let database: Awaited<ReturnType<typeof createDatabase>>
let client: pg.Client
beforeAll(async () => {
  database = await createDatabase()
  client = new pg.Client(database.url)
  await client.connect()
  columns = await readTextColumns()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function readTextColumns(): Promise<typeof columns> {
  const { rows } = await client.query<{ table: string; column: string }>(`
    select columns.table_name as table, column_name as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and (data_type in ('text', 'json', 'jsonb', 'bytea', 'character varying', 'character', 'xml', 'tsvector') or data_type = 'ARRAY')
    order by 1, 2`)
  return rows
}

const described = new Map(allPersonalData.map((one) => [getTableName(one.table), one]))

function findForgotten(all: typeof columns): string[] {
  return all
    .filter(({ table }) => !Object.hasOwn(exemptTables, table))
    .filter(({ table, column }) => {
      const one = described.get(table)
      return !one?.columns.includes(column) && !one?.kept.includes(column)
    })
    .map(({ table, column }) => `${table}.${column}`)
}

test('each text column is erased from or says why not', () => {
  expect(columns.length).toBeGreaterThan(200)
  const help =
    'Name each in `columns` or `kept` of the personal-data.ts of its domain; a table without people in exempt-tables.ts'
  expect(findForgotten(columns), help).toEqual([])
})

test('a new table, and a new column of a described table, is reported', async () => {
  await client.query('create table visitors (id int, said text); alter table leads add column nickname text')
  expect(findForgotten(await readTextColumns())).toEqual(expect.arrayContaining(['leads.nickname', 'visitors.said']))
  await client.query('drop table visitors; alter table leads drop column nickname')
})

test('described and exempt tables exist, and no table is both', () => {
  const names = new Set(columns.map(({ table }) => table))
  const tables = [...Object.keys(exemptTables), ...described.keys()]
  expect(tables.filter((table) => !names.has(table))).toEqual([])
  expect(tables.length).toBe(new Set(tables).size)
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  const declared = allPersonalData.flatMap((one) =>
    [...one.columns, ...one.kept].map((column) => `${getTableName(one.table)}.${column}`),
  )
  expect(declared.filter((one) => !known.has(one))).toEqual([])
})
