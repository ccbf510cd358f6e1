import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { happeningsTable } from '../schema.ts'
import { recordHappening } from './record-happening.ts'

const app = await setUp(startApp({ settings: { ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' } }))

test('only differences are recorded, and records never change [TODAY-01]', async () => {
  const { db, pool } = app.context
  const happening = {
    kind: 'registration' as const,
    subject: { type: 'domain', id: 5 },
    campaign_id: 3,
    before: { registrar: 'Old', expires_on: '2027-01-01' },
    after: { registrar: 'New', expires_on: '2027-01-01' },
  }
  await db.transaction((tx) => recordHappening(tx, happening))
  await db.transaction((tx) => recordHappening(tx, { ...happening, after: happening.before }))
  expect(await db.select().from(happeningsTable).where(eq(happeningsTable.kind, 'registration'))).toMatchObject([
    {
      subject_type: 'domain',
      subject_id: 5,
      campaign_id: 3,
      before: { registrar: 'Old' },
      after: { registrar: 'New' },
    },
  ])
  for (const change of ['update happenings set campaign_id = 1', 'delete from happenings', 'truncate happenings'])
    await expect(pool.query(change)).rejects.toThrow('append-only')
})

test('a site’s status and address are recorded when a check finds a difference [TODAY-01]', async () => {
  const server = createServer((_request, response) => response.end('here'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const site = await app.make.clientSite({ url })
  const root = await app.as(await app.make.superAdmin())
  const check = () => root.call(clientSitesContract.check, { params: { id: site.id } })
  await check()
  await check()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await check()
  await check()
  const found = await app.context.db
    .select()
    .from(happeningsTable)
    .where(eq(happeningsTable.subject_id, site.id))
    .orderBy(asc(happeningsTable.id))
  const about = { subject_type: 'client_site', campaign_id: site.campaign_id }
  expect(found).toMatchObject([
    { ...about, kind: 'site_status', before: { status: null }, after: { status: 1 } },
    { ...about, kind: 'site_ip', before: { ip: null }, after: { ip: '127.0.0.1' } },
    { ...about, kind: 'site_status', before: { status: 1 }, after: { status: 0 } },
  ])
})
