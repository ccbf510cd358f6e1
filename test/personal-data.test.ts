import { getTableName } from 'drizzle-orm'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredParts, tablesWithoutPeople } from '#app/server/parts.ts'
import { connectDatabase } from '#core/db/db.ts'
import type { PersonalData } from '#core/erasure/personal-data.ts'
import { SecretBox } from '#core/secrets/secrets.ts'
import { erasePerson } from '#domains/audit/erasures/server/erase-person.ts'
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

const { personalData } = declaredParts
const described = new Map(personalData.map((one) => [getTableName(one.table), one]))

function findForgotten(all: typeof columns): string[] {
  return all
    .filter(({ table }) => !tablesWithoutPeople.has(table))
    .filter(({ table, column }) => {
      const one = described.get(table)
      return !one?.columns.includes(column) && !one?.kept.includes(column)
    })
    .map(({ table, column }) => `${table}.${column}`)
}

test('each text column is erased from or says why not', () => {
  expect(columns.length).toBeGreaterThan(200)
  const help =
    'Name each in `columns` or `kept` of `personalData` of its domain; a table without people in `withoutPeople` of its part.ts'
  expect(findForgotten(columns), help).toEqual([])
})

test('a new table, and a new column of a described table, is reported', async () => {
  await client.query('create table visitors (id int, said text); alter table leads add column nickname text')
  expect(findForgotten(await readTextColumns())).toEqual(expect.arrayContaining(['leads.nickname', 'visitors.said']))
  await client.query('drop table visitors; alter table leads drop column nickname')
})

test('described and exempt tables exist, and no table is both', () => {
  const names = new Set(columns.map(({ table }) => table))
  const tables = [...tablesWithoutPeople.keys(), ...described.keys()]
  expect(tables.filter((table) => !names.has(table))).toEqual([])
  expect(tables.length).toBe(new Set(tables).size)
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  const declared = personalData.flatMap((one) =>
    [...one.columns, ...one.kept].map((column) => `${getTableName(one.table)}.${column}`),
  )
  expect(declared.filter((one) => !known.has(one))).toEqual([])
})

describe('an erasure', () => {
  const person = { phone: '+15125550147', email: 'zelda@a.example' }
  const mention = 'Call (512) 555-0147, or write to Zelda@a.example.'
  /** Files are encrypted; test/drills/erasure.test.ts tests them. */
  const data = personalData.filter(({ columns: names }) => !names.includes('content'))
  const secrets = new SecretBox('5e'.repeat(32))

  /** Inserts a row with the mention in each described column, whatever rules the table has for its values. */
  async function insertMention({ table, columns: names }: PersonalData) {
    const name = getTableName(table)
    const { rows } = await client.query<TableColumn>(
      `select column_name as name, data_type as type, is_nullable = 'NO' and column_default is null and is_identity = 'NO' as required
       from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
      [name],
    )
    const filled = rows.filter((column) => column.required || names.includes(column.name))
    const checks = await client.query<{ name: string }>(
      `select conname as name from pg_constraint where contype = 'c' and conrelid = $1::regclass`,
      [name],
    )
    for (const check of checks.rows) await client.query(`alter table ${name} drop constraint "${check.name}"`)
    await client.query(`delete from ${name}`) // the migrations fill some
    await client.query(
      `insert into ${name} (${filled.map((column) => `"${column.name}"`)}) values (${filled.map((_, nth) => `$${nth + 1}`)})`,
      filled.map((column) => exampleOf(column.type, names.includes(column.name) ? mention : '')),
    )
  }

  /** Returns the columns that mention the person, of any row of the described tables. */
  async function findMentioning(): Promise<string[]> {
    const found: string[] = []
    for (const { table, columns: names } of data)
      for (const name of names) {
        const { rows } = await client.query<{ value: unknown }>(`select "${name}" as value from ${getTableName(table)}`)
        const texts = rows.map(({ value }) => (Buffer.isBuffer(value) ? String(value) : JSON.stringify(value)))
        if (/555-0147|5125550147|zelda/i.test(texts.join())) found.push(`${getTableName(table)}.${name}`)
      }
    return found
  }

  test('leaves nothing of the person in any column that is described as erased', async () => {
    await client.query('set session_replication_role = replica')
    for (const one of data) await insertMention(one)
    await client.query('set session_replication_role = origin')
    const described = data.flatMap(({ table, columns: names }) => names.map((name) => `${getTableName(table)}.${name}`))
    const { pool, db } = connectDatabase(database.url, pino({ level: 'silent' }))
    try {
      expect((await findMentioning()).toSorted()).toEqual(described.toSorted())
      await erasePerson({ db, secrets, personalData }, person, { actor: { me: null } })
      expect(await findMentioning()).toEqual([])
    } finally {
      await pool.end()
    }
  })
})

type TableColumn = { name: string; type: string; required: boolean }

/** Returns a value of a PostgreSQL type that contains the text, if it can. */
function exampleOf(type: string, text: string): unknown {
  if (type === 'jsonb') return JSON.stringify([{ said: text }])
  if (type === 'ARRAY') return [text]
  if (type === 'bytea') return Buffer.from(text)
  if (type === 'boolean') return false
  if (/^(timestamp|date)/.test(type)) return '2026-03-02'
  return /^(integer|bigint|smallint|numeric|double)/.test(type) ? 1 : text
}
