import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { foldText } from '#contract/fold-text.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { importLeads } from '#domains/leads/import/server/import-file.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { readCorpus } from '#test/corpus.ts'

const app = await setUp(startApp())

const foldInDatabase = async (texts: string[]): Promise<string[]> => {
  const { rows } = await app.context.pool.query<{ folded: string }>(
    'select fold_text(text) as folded from unnest($1::text[]) with ordinality one (text, nth) order by nth',
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
})

const codePoints = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, nth) => from + nth)

test('lists and names in files do not mind how a name is spelled [EDGE-04]', async () => {
  const superAdmin = await app.as(await app.make.superAdmin())
  const client = await app.make.client({ name: 'Søren O’Brien & Söhne' })
  const { id } = await app.make.campaign({ name: 'Ｍüller – Dächer', client_id: client.id })
  const campaigns = async (q: string) =>
    (await superAdmin.call(campaignsContract.list, { query: { q } })).body.data.map((one: { id: number }) => one.id)
  for (const q of ['muller - dacher', 'MÜLLER', "soren o'brien", 'sohne'])
    expect([q, await campaigns(q)]).toEqual([q, [id]])
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
