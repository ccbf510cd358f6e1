import { sql } from 'drizzle-orm'
import { integer, jsonb, numeric, pgTable, text } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { identityColumn, timestampColumn, timestampNowColumn } from './columns.ts'
import { insertRows } from './insert-rows.ts'

const app = await setUp(startApp())
await app.context.db.execute(sql`create table rows_of_test (id int generated always as identity, name text, tags text[] not null default '{}',
    cause jsonb not null default '[]', price numeric(12, 2), number int not null default 7, at timestamptz(3), made_at timestamptz(3) not null default now())`)

const table = pgTable('rows_of_test', {
  id: identityColumn(),
  name: text(),
  tags: text().array().notNull().default([]),
  cause: jsonb().$type<{ because: string }[]>().notNull().default([]),
  price: numeric({ precision: 12, scale: 2, mode: 'number' }),
  number: integer().notNull().default(7),
  at: timestampColumn(),
  made_at: timestampNowColumn(),
})

test('rows keep their order, values and types, and what one of them lacks is the default of its column', async () => {
  const at = new Date('2026-03-08T07:30:00.125Z')
  const full = {
    name: 'O’Brien "x"\n\\',
    tags: ['a,b', '"c"'],
    cause: [{ because: 'é' }],
    price: 12.5,
    number: 1,
    at,
    made_at: at,
  }
  const { id, name, tags, cause, price, number, at: time, made_at } = table
  const returning = { id, name, tags, cause, price, number, at: time, made_at }
  const inserted = await insertRows(app.context.db, table, [full, { name: null }], returning)
  expect(inserted).toEqual([
    { id: 1, ...full },
    { id: 2, name: null, tags: [], cause: [], price: null, number: 7, at: null, made_at: expect.any(Date) },
  ])
  expect(Math.abs(inserted[1]!.made_at.getTime() - Date.now())).toBeLessThan(60_000)
})

test('a row that the table refuses leaves nothing behind', async () => {
  const count = () => app.context.db.$count(table)
  const before = await count()
  const rows = [{ name: 'fits' }, { name: 'too large', price: 1e12 }]
  await expect(insertRows(app.context.db, table, rows, { id: table.id })).rejects.toThrow()
  expect(await count()).toBe(before)
})
