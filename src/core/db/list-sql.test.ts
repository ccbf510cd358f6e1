import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { containsText } from './list-sql.ts'

const app = await setUp(startApp())

test.each(['%', '_', '\\', "'", '"', '?', '$1', ':a'])(
  'a search for %s finds that text, and no other',
  async (wanted) => {
    const contains = async (text: string) => {
      const { rows } = await app.context.db.execute(sql`select ${containsText(sql`${text}::text`, wanted)} as found`)
      return rows[0]?.found
    }
    expect(await contains(`A${wanted}b`)).toBe(true)
    expect(await contains('A b')).toBe(false)
  },
)
