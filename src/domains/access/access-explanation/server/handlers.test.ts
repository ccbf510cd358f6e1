import { describe, expect, test } from 'vitest'
import { allEndpoints, declaredParts } from '#app/server/parts.ts'
import { permissionFlags } from '#contract/allow.ts'
import { getReadableFields, getWritableFields, leadsContract } from '#domains/leads/contract.ts'
import { leadHistoryContract } from '#domains/leads/history/contract.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { type AccessExplanation, accessExplanationContract } from '../contract.ts'

const app = await setUp(startApp())
const { make } = app
const root = await app.as(await make.superAdmin({ username: 'aaa-root' }))
const campaign = await make.campaign({ name: 'North Roofing' })
const lead = await make.lead({ campaign_id: campaign.id })
const hidden = await make.lead({ campaign_id: campaign.id, hide: true })
const customer = await make.customer({ client_id: campaign.client_id! })

const ask = (who: Caller, query: { user: number; call: string; id?: number }) =>
  who.call(accessExplanationContract.why, { query })
const explain = async (query: { user: number; call: string; id?: number }): Promise<AccessExplanation> =>
  (await ask(root, query)).body

describe('why a person may make a call', () => {
  test('names the rule, the page, the campaign and each field, and matches what the call returns [SIGN-05]', async () => {
    const { make } = app
    const { id } = campaign
    const users = [
      await make.superAdmin(),
      await make.admin({ campaigns: [id], permissions: ['leads'] }),
      await make.admin({ campaigns: [id], permissions: ['campaigns'] }),
      await make.admin({ campaigns: [], permissions: ['leads'] }),
      await make.handler({ campaigns: [id], permissions: ['archivedleads'] }),
      await make.handler({ campaigns: [], permissions: [] }),
      customer,
      await make.customer(),
    ]
    for (const user of users)
      for (const row of [lead, hidden, { id: 999_999 }]) {
        const person = await app.as(user)
        const said = await explain({ user: user.id, call: 'GET lead/{id}/history', id: row.id })
        const { status } = await person.call(
          { ...leadHistoryContract.read, response: undefined },
          { params: { id: row.id } },
        )
        expect([said.status, said.allowed], `${user.role} ${row.id}`).toEqual([status, status === 200])
      }
  })

  test('a missing page [SIGN-05]', async () => {
    const user = await app.make.admin({ campaigns: [campaign.id], permissions: ['campaigns'] })
    expect(await explain({ user: user.id, call: 'PUT lead/{id}', id: lead.id })).toEqual({
      allowed: false,
      status: 403,
      rule: 'Leads page or Leads Archive page; the campaign is theirs, and hidden leads are for admins',
      flag: { needed: ['leads', 'archivedleads'], held: false },
      campaign: { id: campaign.id, name: 'North Roofing', ticked: true },
      fields: null,
    })
  })

  test('the rule of a list says in words whose page it is and which rows it has [SIGN-05]', async () => {
    const { id } = await app.make.admin({ permissions: ['leads'] })
    const ruleOf = async (call: string) => (await explain({ user: id, call })).rule
    expect(await ruleOf('GET leads/list/data')).toBe(
      'Leads page; leads of their campaigns; hidden ones for admins only',
    )
    expect(await ruleOf('GET campaigns')).toBe('Admins, and Campaigns page; their campaigns')
    expect(await ruleOf('GET client')).toBe(
      'Admins, and Clients page or Campaigns page; clients with a campaign of theirs, or without any campaign',
    )
    expect(await ruleOf('GET user/me')).toBe('Signed in')
    const sameForAll = [
      'campaign-category',
      'connection',
      'erasure',
      'google-location',
      'move',
      'network-category',
      'network-site',
      'redirect-domain',
    ]
    const kinds = allEndpoints.flatMap(({ endpoint: { method, row } }) => (method === 'GET' && row ? [row] : []))
    const described = [...Object.keys(declaredParts.listRules), ...sameForAll, 'import', 'spammer']
    expect(kinds.filter((kind) => !described.includes(kind))).toEqual([])
    for (const { endpoint } of allEndpoints) {
      const rule = await ruleOf(endpoint.address)
      expect(rule, endpoint.address).toMatch(/^[A-Z]/)
      for (const flag of permissionFlags.filter((one) => /[A-Z_]/.test(one))) expect(rule).not.toContain(flag)
    }
  })

  test('a campaign that is not ticked [SIGN-05]', async () => {
    const user = await app.make.admin({ campaigns: [], permissions: ['leads'] })
    expect(await explain({ user: user.id, call: 'PUT lead/{id}', id: lead.id })).toMatchObject({
      allowed: false,
      status: 404,
      flag: { held: true },
      campaign: { id: campaign.id, ticked: false },
      fields: null,
    })
  })

  test('a role, even with the page [SIGN-05]', async () => {
    const user = await app.make.handler({ campaigns: [campaign.id], permissions: ['leads'] })
    expect(await explain({ user: user.id, call: 'GET leads/sources' })).toMatchObject({
      status: 403,
      rule: 'Super admins',
      flag: null,
      campaign: null,
    })
  })

  test('the fields are those that the lead’s own calls read and write [SIGN-05]', async () => {
    for (const user of [
      await app.make.handler({ campaigns: [campaign.id], permissions: ['leads'] }),
      await app.make.admin({ campaigns: [campaign.id], permissions: ['leads'] }),
      customer,
    ]) {
      const { fields } = await explain({ user: user.id, call: 'PUT lead/{id}', id: lead.id })
      const person = await app.as(user)
      const { body } = await person.call(leadsContract.list)
      const me = (await person.fetch('/api/user/me').then((answer) => answer.json())) as Parameters<
        typeof getReadableFields
      >[0]
      const named = (rule: string) =>
        Object.keys(fields!)
          .filter((name) => fields![name] === rule)
          .sort()
      expect(named('write')).toEqual([...getWritableFields(me)].sort())
      const readable = [...getReadableFields(me)]
      expect(readable.filter((name) => fields![name] === 'none')).toEqual([])
      for (const name of named('none')) expect(body.data[0]).not.toHaveProperty(name)
    }
  })

  test('a call is found by its name in the API docs, however its parameter is spelled [SIGN-05]', async () => {
    const { id } = await app.make.admin({ permissions: [] })
    for (const call of ['GET campaign/{id}/area', 'get /api/campaign/{id}/area', 'GET /campaign/:id/area'])
      expect(await explain({ user: id, call, id: campaign.id })).toMatchObject({ status: 403 })
    expect((await ask(root, { user: id, call: 'GET moon' })).status).toBe(422)
    expect((await ask(root, { user: 999_999, call: 'GET user/me' })).status).toBe(404)
    expect((await root.call(accessExplanationContract.why)).status).toBe(422)
  })

  test('an inactive account gets 401, like from the call itself [SIGN-05]', async () => {
    const { id } = await app.make.admin({ is_active: false })
    expect(await explain({ user: id, call: 'GET user/me' })).toMatchObject({ allowed: false, status: 401 })
  })

  test('nothing is said about people of foreign campaigns [SIGN-05]', async () => {
    const own = await app.make.campaign()
    const asker = await app.as(
      await app.make.admin({ permissions: ['admin_pages', 'leads_handlers', 'clients', 'leads'], campaigns: [own.id] }),
    )
    const about = async ({ id }: { id: number }) => {
      const { status, body } = await asker.call(
        { ...accessExplanationContract.why, response: undefined },
        { query: { user: id, call: 'GET user/me' } },
      )
      return [status, body.message]
    }
    const nobody = await about({ id: 999_999 })
    expect(nobody).toEqual([404, 'This no longer exists, or you don’t have access to it'])
    for (const unlisted of [
      await app.make.handler({ campaigns: [campaign.id] }),
      await app.make.handler({ campaigns: [campaign.id], is_active: false }),
      customer,
    ])
      expect(await about(unlisted)).toEqual(nobody)
    // Every admin is in the list of admins.
    for (const listed of [
      await app.make.admin({ campaigns: [campaign.id], permissions: ['leads'] }),
      await app.make.admin({ campaigns: [own.id], permissions: ['campaigns'] }),
      await app.make.superAdmin(),
    ])
      expect(await about(listed)).toEqual([403, 'This person has rights that you do not have'])
    for (const below of [
      await app.make.admin({ campaigns: [own.id], permissions: ['leads'] }),
      await app.make.handler({ campaigns: [own.id] }),
      await app.make.customer({ client_id: own.client_id! }),
    ])
      expect((await about(below))[0]).toBe(200)
  })

  test('a lead that the asker may not see is reported as missing [SIGN-05]', async () => {
    const shared = await app.make.campaign()
    const asker = await app.as(
      await app.make.admin({ permissions: ['admin_pages', 'leads_handlers'], campaigns: [shared.id] }),
    )
    const user = await app.make.handler({ campaigns: [campaign.id, shared.id], permissions: ['leads'] })
    const of = async (id: number) => (await ask(asker, { user: user.id, call: 'PUT lead/{id}', id })).body
    expect(await of(lead.id)).toEqual(await of(999_999))
    expect(await of(lead.id)).toMatchObject({ status: 404, campaign: null, fields: null })
  })
})
