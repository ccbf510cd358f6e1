import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { listConnections, readConnectionSecret } from '#domains/connections/public.ts'
import { connectionsTable } from '#domains/connections/schema.ts'
import { movesTable } from '#domains/moves/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { runCli } from './program.ts'

const old = await setUp(startApp())
const app = await setUp(startApp({ settings: { ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' } }))
const folder = mkdtempSync(join(tmpdir(), 'leadline-move-cli-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
  vi.unstubAllEnvs()
})
const tokenFile = join(folder, 'token.txt')
const planFile = join(folder, 'plan.json')
writeFileSync(tokenFile, `${(await old.as(await old.make.superAdmin())).token}\n`)
const { id: campaign_id } = await old.make.campaign({
  name: 'Oak gutter',
  categories: [(await old.make.category()).id],
  client_id: await makeClient(),
})
await old.make.lead({ campaign_id, lead_name: 'Ada', confirmed: true })
await app.make.superAdmin()

async function makeClient() {
  const { id } = await old.make.client({ name: 'Oak Homes' })
  await old.make.customer({ client_id: id, username: 'oak', email: 'owner@oak.example' })
  return id
}

async function move(...args: string[]) {
  for (const [name, value] of Object.entries({
    DATABASE_URL: app.context.pool.options.connectionString!,
    SECRET_KEY: '5e'.repeat(32),
    ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
    APP_ENV: 'test',
  }))
    vi.stubEnv(name, value)
  const said = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      said[stream] += text
      return true
    }),
  )
  try {
    return { code: await runCli(['move', ...args]), ...said }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

test('every refusal is one line on standard error and exit code 2 [MOVE-08]', async () => {
  const empty = join(folder, 'empty.txt')
  writeFileSync(empty, '\n')
  const wrong = join(folder, 'wrong.txt')
  writeFileSync(wrong, 'not-a-token')
  for (const [args, line] of [
    [[], 'Name the old system with --from'],
    [['--from', old.url], 'Name the file with the token with --token-file'],
    [['--from', old.url, '--token-file', join(folder, 'none')], /cannot be read/],
    [['--from', old.url, '--token-file', empty], /has no token/],
    [['--from', 'http://old.example', '--token-file', tokenFile], 'The address must begin with https'],
    [
      ['--from', 'https://boss:secret@old.example', '--token-file', tokenFile],
      'Addresses with a password are not allowed',
    ],
    [['--from', old.url, '--token-file', wrong], 'The old system refuses the token (401)'],
  ] as const) {
    const { code, stdout, stderr } = await move(...args)
    expect([code, stdout, stderr.trimEnd().split('\n')]).toEqual([
      2,
      '',
      [typeof line === 'string' ? line : expect.stringMatching(line)],
    ])
  }
})

test('without --accept nothing is written but the plan [MOVE-08]', async () => {
  const { code, stdout, stderr } = await move('--from', old.url, '--token-file', tokenFile, '--plan', planFile)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^Campaigns +1 +1 +0 +0$/m)
  const plan = JSON.parse(readFileSync(planFile, 'utf8'))
  expect(plan.items.map(({ from }: { from: { label: string } }) => from.label)).toContain('Oak gutter')
  expect(await app.context.db.$count(movesTable)).toBe(0)
})

test('with --accept the plan is written, and what differs is printed [MOVE-08]', async () => {
  const { code, stdout, stderr } = await move('--from', old.url, '--token-file', tokenFile, '--accept')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^Campaigns +1 +1$/m)
  expect(stdout).toMatch(/^Leads +\d{4}-\d{2} +1 +1$/m)
  const boss = await app.as(await app.make.superAdmin())
  expect((await (await boss.fetch('/api/campaigns')).json()).data).toMatchObject([
    { name: 'Oak gutter', client: { name: 'Oak Homes' } },
  ])
})

test('a plan that is not written leaves the token that is stored for its address [MOVE-08]', async () => {
  const [known] = await listConnections(app.context, 'legacy')
  const read = async () => {
    const [row] = await app.context.db.select().from(connectionsTable).where(eq(connectionsTable.id, known!.id))
    const { state, says, tested_at } = row!
    return { state, says, tested_at, secret: await readConnectionSecret(app.context, 'legacy', known!.id) }
  }
  const before = await read()
  const other = join(folder, 'other.txt')
  writeFileSync(other, `${(await old.as(await old.make.superAdmin())).token}\n`)
  expect((await move('--from', old.url, '--token-file', other)).code).toBe(0)
  expect(await read()).toEqual(before)
  writeFileSync(other, 'not-a-token')
  for (const more of [[], ['--accept']]) {
    expect((await move('--from', old.url, '--token-file', other, ...more)).code).toBe(2)
    expect(await read()).toEqual(before)
  }
})

test('open questions are named, with exit code 2, and wait on their page [MOVE-08]', async () => {
  await old.make.campaign({ name: 'Twin', categories: [(await old.make.category()).id] })
  for (const name of ['TWIN', 'twin']) await app.make.campaign({ name })
  const { code, stderr } = await move('--from', old.url, '--token-file', tokenFile, '--accept')
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(
      /^1 thing is still to be chosen: Twin \(Two campaigns have this name\)\. Choose on the page \/moves\/\d+\n$/,
    ),
  ])
})
