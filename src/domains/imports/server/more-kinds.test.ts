import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { redirectDomainsContract } from '#domains/sites/redirects/contract.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import { startCPanelStandIn } from '#integrations/fakes/cpanel.ts'
import { setUp, startApp } from '#test/app.ts'
import { until, waitForJobs } from '#test/until.ts'
import { type Import, importsContract } from '../contract.ts'
import { isImportBusy } from '../labels.ts'

const cpanel = await setUp(startCPanelStandIn())
const app = await setUp(startApp({ settings: cpanel.settings, work: true }))
const root = await app.as(await app.make.superAdmin({ username: 'olivia' }))
const campaign = await app.make.campaign({ name: 'Austin Roofing' })
await app.make.networkCategory({ name: 'Home & Garden' })
beforeEach(() => waitForJobs(app.context))

const settled = (id: number): Promise<Import> =>
  until(async () => {
    const { body } = await root.call(importsContract.get, { params: { id } })
    return isImportBusy(body.state) ? null : body
  }, 50)

/** Uploads a file and checks it with the columns that are recognized. */
async function checkFile(kind: string, lines: string[]): Promise<Import> {
  const form = new FormData()
  form.set('file', new Blob([lines.join('\n')]), 'file.csv')
  const { id } = await (await root.fetch(`/api/imports?kind=${kind}`, { method: 'POST', body: form })).json()
  const { chosen } = (await root.call(importsContract.columns, { params: { id } })).body
  await root.call(importsContract.check, { params: { id }, body: { columns: chosen } })
  return settled(id)
}
async function runImport(id: number): Promise<Import> {
  expect((await root.call(importsContract.run, { params: { id } })).status).toBe(200)
  return settled(id)
}
async function undoImport(id: number): Promise<Import> {
  expect((await root.call(importsContract.undo, { params: { id } })).status).toBe(200)
  return settled(id)
}
const readProblems = async (id: number) =>
  (await root.call(importsContract.problems, { params: { id } })).body.data.map(
    ({ line, column, says }: { line: number; column: string | null; says: string }) => [line, column, says],
  )

test('listings are imported with their campaign and status, and an undo keeps what was changed [MOVE-09]', async () => {
  const file = [
    'Title,Link,Campaign,Status,Address,Phone,Website,Email,Notes',
    'Austin Roofing,https://www.google.com/maps?cid=6744553322110099887,austin roofing,live,"1 Main St, Austin, TX 78701",512-555-0142,https://austin.example,a@austin.example,"Two lines,\nkept"',
    `Second,6744553322110099777,${campaign.id},Suspended,,,,,`,
    'No campaign,https://www.google.com/maps?cid=6744553322110099009,Nowhere,Live,,,,,',
    'No maps link,https://austin.example,Austin Roofing,Live,,,,,',
    'No such status,https://www.google.com/maps?cid=6744553322110099010,Austin Roofing,Sleeping,,,,,',
    'Twice,https://www.google.com/maps?cid=6744553322110099887,Austin Roofing,Live,,,,,',
  ]
  const checked = await checkFile('campaign-gmbs', file)
  expect(await readProblems(checked.id)).toEqual([
    [5, 'Campaign', 'There is no campaign Nowhere'],
    [6, 'Link', 'Wrong link format'],
    [7, 'Status', 'Please select status'],
    [8, null, 'It repeats line 2'],
  ])
  expect(await runImport(checked.id)).toMatchObject({ state: 'done', made: 2 })
  const [first, second] = await app.context.db.select().from(gmbsTable).orderBy(gmbsTable.id)
  expect(first).toMatchObject({
    title: 'Austin Roofing',
    campaign_id: campaign.id,
    status: 1,
    phone: '512-555-0142',
    website: 'https://austin.example',
    notes: 'Two lines,\nkept',
  })
  expect(second).toMatchObject({ status: 4, suspended_at: expect.any(Date) })
  expect(await checkFile('campaign-gmbs', file.slice(0, 2))).toMatchObject({ fresh: 0, known: 1 })

  await root.call(gmbsContract.update, {
    params: { id: second!.id },
    body: { title: 'Renamed', link: second!.link, status: 4, campaign_id: campaign.id },
  })
  expect(await undoImport(checked.id)).toMatchObject({ state: 'undone', removed: 1, kept: 1 })
  expect(await readProblems(checked.id)).toContainEqual([4, null, 'Someone has changed this listing since'])
})

test('network sites are imported into the categories that exist, and undone [MOVE-09]', async () => {
  const checked = await checkFile('network-sites', [
    'URL,Category',
    'https://notes.example/garden,home & garden',
    'https://other.example,Nothing such',
    'no address,Home & Garden',
    'https://none.example,',
    'http://127.0.0.1/,Home & Garden',
  ])
  expect(checked).toMatchObject({ fresh: 1, refused: 4 })
  expect((await readProblems(checked.id)).map(([line, column]: [number, string]) => [line, column])).toEqual([
    [3, 'Category'],
    [4, 'URL'],
    [5, 'Category'],
    [6, 'URL'],
  ])
  expect(await runImport(checked.id)).toMatchObject({ made: 1 })
  const [site] = await app.context.db.select().from(networkSitesTable)
  expect(site).toMatchObject({ url: 'https://notes.example/garden' })
  expect(await undoImport(checked.id)).toMatchObject({ removed: 1, kept: 0 })
  expect(await app.context.db.$count(networkSitesTable)).toBe(0)
})

test('301 domains are imported and undone without a word to cPanel, and removed there by hand later [MOVE-09]', async () => {
  cpanel.domains.set('old-brand.com', 'old-brand-com_agency.example')
  cpanel.redirects.set('old-brand.com', 'https://client.example/landing')
  const file = [
    'Domain,Redirect URL',
    'Old-Brand.com,https://client.example/landing',
    'other-brand.com,https://client.example/',
    'localhost,https://client.example/',
    'loop.com,https://loop.com/',
    'word.com,somewhere else',
  ]
  const checked = await checkFile('redirect-domains', file)
  expect(checked).toMatchObject({ fresh: 2, refused: 3 })
  expect(await runImport(checked.id)).toMatchObject({ made: 2 })
  const { body } = await root.call(redirectDomainsContract.list)
  expect(body.data.map(({ domain }: { domain: string }) => domain).sort()).toEqual(['old-brand.com', 'other-brand.com'])
  expect(await checkFile('redirect-domains', file.slice(0, 2))).toMatchObject({ fresh: 0, known: 1 })
  expect(await undoImport(checked.id)).toMatchObject({ removed: 2, kept: 0 })
  expect([await app.context.db.$count(redirectDomainsTable), cpanel.calls]).toEqual([0, []])

  const again = await checkFile('redirect-domains', file.slice(0, 2))
  await runImport(again.id)
  const [row] = await app.context.db
    .select()
    .from(redirectDomainsTable)
    .where(eq(redirectDomainsTable.domain, 'old-brand.com'))
  expect((await root.call(redirectDomainsContract.remove, { params: { id: row!.id } })).status).toBe(204)
  expect([cpanel.domains.size, cpanel.redirects.size]).toEqual([0, 0])
})
