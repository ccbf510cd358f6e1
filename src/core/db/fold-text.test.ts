import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dropApostrophes, foldText } from '#contract/fold-text.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { importLeads } from '#domains/leads/import/server/import-file.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { googleLocationsContract } from '#domains/listings/google/contract.ts'
import { googleAccountsTable, googleCategoriesTable, googleLocationsTable } from '#domains/listings/google/schema.ts'
import { findCategories } from '#domains/listings/google/server/categories.ts'
import { outgoingLinksContract } from '#domains/sites/links/contract.ts'
import { outgoingLinksTable } from '#domains/sites/links/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { readCorpus } from '#test/corpus.ts'
import { isChoiceMatch } from '#ui/filters/select-choice.ts'

const app = await setUp(startApp())

const foldInDatabase = async (texts: string[], by = 'fold_text'): Promise<string[]> => {
  const { rows } = await app.context.pool.query<{ folded: string }>(
    `select ${by}(text) as folded from unnest($1::text[]) with ordinality one (text, nth) order by nth`,
    [texts],
  )
  return rows.map(({ folded }) => folded.replace(/\s+/g, ' '))
}

test('PostgreSQL folds every character as the program does [EDGE-04]', async () => {
  const all = [...codePoints(1, 0x323af), ...codePoints(0xe0000, 0xe01ff)]
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => letter.isWellFormed())
  const { rows } = await app.context.pool.query<{ letter: string }>(
    'select letter from unnest($1::text[]) letter where unicode_assigned(letter)', // Node.js may know newer ones
    [all],
  )
  const letters = rows.map(({ letter }) => letter)
  expect(letters.length).toBeGreaterThan(100_000)
  const texts = letters.map((letter) => `a${letter}b`)
  const folded = await foldInDatabase(texts)
  const differing = letters.filter((_, at) => folded[at] !== foldText(texts[at]!))
  expect(differing.map((letter) => letter.codePointAt(0)!.toString(16))).toEqual([])
})

test('PostgreSQL folds the corpus as the program does [EDGE-04]', async () => {
  const texts = readCorpus<{ input: string }>('text').map(({ input }) => input.toWellFormed().replaceAll('\0', ''))
  expect(await foldInDatabase(texts)).toEqual(texts.map(foldText))
  expect(await foldInDatabase(texts, 'fold_search')).toEqual(texts.map((text) => dropApostrophes(foldText(text))))
})

const codePoints = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, nth) => from + nth)

test('lists and names in files do not mind how a name is spelled [EDGE-04]', async () => {
  const superAdmin = await app.as(await app.make.superAdmin())
  const client = await app.make.client({ name: 'Søren O’Brien & Söhne' })
  const { id } = await app.make.campaign({ name: 'Ｍüller – Dächer', client_id: client.id })
  const campaigns = async (q: string) =>
    (await superAdmin.call(campaignsContract.list, { query: { q } })).body.data.map((one: { id: number }) => one.id)
  for (const q of ['muller - dacher', 'MÜLLER', "soren o'brien", 'sohne', 'soren obrien', 'OBrien'])
    expect([q, await campaigns(q)]).toEqual([q, [id]])
  const other = await app.make.campaign({ name: 'OBrien Smith-Jones', client_id: client.id })
  for (const q of ["o'brien smith jones", 'o`brien smith\u2013jones'])
    expect([q, await campaigns(q)]).toEqual([q, [other.id]])
  expect(await campaigns('smith_jones')).toEqual([])
  const { body } = await superAdmin.call(clientsContract.list, { query: { search: "SOREN O'BRIEN", page: 1 } })
  expect(JSON.stringify(body)).toContain('Søren')
  const file = join(mkdtempSync(join(tmpdir(), 'leadline-names-')), 'leads.csv')
  writeFileSync(
    file,
    'lead_id,lead_type,lead_date,campaign,lead_name\nN-1,Form,2026-03-08,muller\u00a0\u2014 dacher,Ann\n',
  )
  const said: string[] = []
  await importLeads({ context: app.context, file, dryRun: false, say: (line) => void said.push(line) })
  expect((await app.context.db.select().from(leadsTable)).map((lead) => lead.campaign_id)).toEqual([id])
})

test('locations, categories and links are searched however they are spelled [EDGE-04]', async () => {
  const { db } = app.context
  const root = await app.as(await app.make.superAdmin())
  const refresh_token = Buffer.from('')
  const account = { subject: 'x', email: 'x@google.example', account_name: 'X', refresh_token }
  const [{ id: account_id } = { id: 0 }] = await db.insert(googleAccountsTable).values(account).returning()
  const title = 'O\u2019Connor Smith-Jones, \uff2d\u00fcnchen'
  const place = { account_id, name: 'locations/1', business_account: 'accounts/1', business_account_name: 'X', title }
  await db.insert(googleLocationsTable).values(place)
  for (const search of ['oconnor smith jones', "o'connor", 'munchen', 'MÜN\u200bCHEN'])
    expect([
      search,
      (await root.call(googleLocationsContract.list, { query: { search } })).body.data.map(
        (one: { title: string }) => one.title,
      ),
    ]).toEqual([search, [title]])
  const category = { region_code: 'DE', name: 'categories/1', display_name: 'Caf\u00e9 - Bar, Kid\u2019s' }
  await db.insert(googleCategoriesTable).values(category)
  for (const words of ['cafe', 'kids bar', '\uff43\uff41\uff46\uff45'])
    expect([words, await findCategories(db, 'DE', words)]).toMatchObject([words, [{ name: 'categories/1' }]])
  const site = await app.make.networkSite({ url: 'https://blog.example' })
  const link = { url: 'https://dach.example/', host: 'dach.example', page: 'https://blog.example/', key: '1' }
  await db.insert(outgoingLinksTable).values({ network_site_id: site.id, ...link, anchor: 'D\u00e4cher M\u00fcller' })
  const links = (await root.call(outgoingLinksContract.list, { query: { q: 'dacher muller' } })).body
  expect(links.total).toBe(1)
})

test('words of choices and screens are found without their apostrophes and dashes', () => {
  const choice = { value: 1, label: 'O\u2019Connor Smith-Jones', detail: 'Z\u00fcrich' }
  for (const typed of ['oconnor', "o'connor", 'smith jones', 'smith-jones zurich', 'O\u00b4Connor'])
    expect([typed, isChoiceMatch(choice, typed)]).toEqual([typed, true])
  expect(isChoiceMatch(choice, 'connors')).toBe(false)
})
