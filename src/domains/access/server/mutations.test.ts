import { and, eq, isNull, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { handlerFlags } from '#contract/allow.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { adminsContract, leadsHandlersContract, userSessionsContract } from '../contract.ts'
import { userCampaignsTable, usersTable } from '../schema.ts'
import { sessionContract } from '../sign-in/contract.ts'

const ids = { north: 0, south: 0, west: 0 }
const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())
ids.north = (await app.make.campaign({ name: 'North' })).id
ids.south = (await app.make.campaign({ name: 'South' })).id
ids.west = (await app.make.campaign({ name: 'West', archived: true })).id

let count = 0
const someone = () => ({ username: `someone-${++count}`, email: `someone-${count}@example.com` })
const chosen = 'a fine long password'
const storedPages = async (id: number) =>
  (
    await app.context.db.select({ pages: usersTable.permissions }).from(usersTable).where(eq(usersTable.id, id))
  )[0]!.pages.toSorted()
const storedCampaigns = async (id: number) =>
  (await app.context.db.select().from(userCampaignsTable).where(eq(userCampaignsTable.user_id, id)))
    .map((row) => row.campaign_id)
    .toSorted((a, b) => a - b)
const isIn = async (who: Caller) => (await who.call(sessionContract.me)).status === 200
/** Expects a refusal that leaves all data unchanged. */
async function refused(status: number, call: () => Promise<{ status: number; body: { errors?: object } }>) {
  const before = await app.dump()
  const answer = await call()
  expect(answer.status).toBe(status)
  expect(await app.dump()).toBe(before)
  return answer.body
}

describe('admins', () => {
  test('a new admin has the ticked pages and campaigns, and nothing else [ADM-19, PERM-06]', async () => {
    const form = { ...someone(), password: chosen }
    const made = await root.call(adminsContract.create, {
      body: { ...form, pages: { leads: 1, clients: 0 }, campaigns: { [ids.north]: 1, [ids.south]: 0 } },
    })
    expect([made.status, made.body]).toEqual([
      200,
      { id: expect.any(Number), username: form.username, email: form.email, campaigns_count: 1, may_change: true },
    ])
    expect([await storedPages(made.body.id), await storedCampaigns(made.body.id)]).toEqual([['leads'], [ids.north]])
    const bare = await root.call(adminsContract.create, { body: { ...someone(), password: chosen } })
    expect([await storedPages(bare.body.id), await storedCampaigns(bare.body.id)]).toEqual([[], []])
    const signedIn = await app.guest.call(sessionContract.login, {
      body: { username: form.username, password: chosen },
    })
    expect(signedIn.body).toHaveProperty('token')
  })

  test('the list is a map of admins; super admins are included only on request, with names only [ADM-17, ADM-18]', async () => {
    const admin = await app.make.admin({ campaigns: [ids.north, ids.south] })
    const above = await app.make.superAdmin()
    const handler = await app.make.handler()
    const { admins: found } = (await root.call(adminsContract.list)).body
    const { id, username, email } = admin
    expect(found[id]).toEqual({ id, username, email, campaigns_count: 2, may_change: true })
    expect([above.id, handler.id].map((other) => other in found)).toEqual([false, false])
    const all = (await root.call(adminsContract.list, { query: { with_super_admin: 1 } })).body.admins
    expect(all[above.id]).toEqual({ id: above.id, username: above.username })
  })

  test('users who only pick colleagues get names; the count covers campaigns that the reader sees', async () => {
    const admin = await app.make.admin({ campaigns: [ids.north, ids.south] })
    const picker = await app.as(await app.make.admin({ permissions: ['activityLog'] }))
    expect((await picker.call(adminsContract.list)).body.admins[admin.id]).toEqual({
      id: admin.id,
      username: admin.username,
    })
    const keeper = await app.as(await app.make.admin({ campaigns: [ids.north] }))
    expect((await keeper.call(adminsContract.list)).body.admins[admin.id]).toMatchObject({
      campaigns_count: 1,
      may_change: false,
    })
  })

  test('one admin is returned with pages and campaigns; other roles are not found [ADM-20]', async () => {
    const admin = await app.make.admin({ permissions: ['leads', 'clients'], campaigns: [ids.south] })
    const { id, username, email } = admin
    const { body } = await root.call(adminsContract.get, { params: { id } })
    expect(body).toEqual({
      admin: { id, username, email, version: 1 },
      permissions: { leads: 1, clients: 1 },
      campaignsPermissions: { [ids.south]: 1 },
    })
    const others = [await app.make.handler(), await app.make.customer()]
    for (const other of others) {
      const params = { id: other.id }
      expect((await root.call(adminsContract.get, { params })).status).toBe(404)
      await refused(404, () => root.call(adminsContract.update, { params, body: { password: chosen } }))
      await refused(404, () => root.call(adminsContract.remove, { params }))
      await refused(404, () => root.call(adminsContract.move, { params }))
    }
  })

  test('an update changes password, pages and campaigns; an empty password keeps the old one [ADM-12, ADM-21]', async () => {
    const admin = await app.make.admin({ permissions: ['leads'], campaigns: [ids.north] })
    const params = { id: admin.id }
    const body = { password: '', pages: { clients: 1 }, campaigns: { [ids.south]: 1 }, version: 1 }
    expect((await root.call(adminsContract.update, { params, body })).status).toBe(200)
    expect([await storedPages(admin.id), await storedCampaigns(admin.id)]).toEqual([['clients'], [ids.south]])
    const login = (word: string) =>
      app.guest.call(sessionContract.login, { body: { username: admin.username, password: word } })
    expect((await login(password)).body).toHaveProperty('token')
    const open = await app.as(admin)
    expect((await root.call(adminsContract.update, { params, body: { password: chosen } })).status).toBe(200)
    expect(await isIn(open)).toBe(false)
    expect((await login(password)).body).toHaveProperty('error')
    expect((await login(chosen)).body).toHaveProperty('token')
  })

  test('a form opened before someone else saved theirs gets 409 with the current state (R28)', async () => {
    const admin = await app.make.admin({ permissions: ['leads'] })
    const params = { id: admin.id }
    expect(
      (await root.call(adminsContract.update, { params, body: { pages: { clients: 1 }, version: 1 } })).status,
    ).toBe(200)
    const late = await refused(409, () => root.call(adminsContract.update, { params, body: { pages: {}, version: 1 } }))
    expect(late).toMatchObject({ newer: { admin: { version: 2 }, permissions: { clients: 1 } } })
  })

  test('a form opened before a move to the other role and back gets 409: it holds the pages that were dropped', async () => {
    const admin = await app.make.admin({ permissions: ['leads', 'clients'] })
    const params = { id: admin.id }
    await root.call(adminsContract.move, { params })
    await root.call(leadsHandlersContract.move, { params })
    const body = { pages: { leads: 1, clients: 1 }, version: 1 }
    const late = await refused(409, () => root.call(adminsContract.update, { params, body }))
    expect(late).toMatchObject({ newer: { permissions: { leads: 1 } } })
  })

  test('a campaign whose id is too large for any is refused', async () => {
    const [admin, handler] = [await app.make.admin(), await app.make.handler()]
    const body = { campaigns: { 9999999999: 1 } }
    const account = { ...someone(), password: chosen, ...body }
    for (const call of [
      () => root.call(adminsContract.create, { body: account }),
      () => root.call(adminsContract.update, { params: { id: admin.id }, body }),
      () => root.call(leadsHandlersContract.create, { body: account }),
      () => root.call(leadsHandlersContract.update, { params: { id: handler.id }, body }),
    ])
      expect(await refused(422, call)).toHaveProperty(['errors', 'campaigns.9999999999'])
  })

  test('a removed admin loses access immediately, and their names are free again [ADM-22]', async () => {
    const admin = await app.make.admin()
    const open = await app.as(admin)
    expect((await root.call(adminsContract.remove, { params: { id: admin.id } })).status).toBe(204)
    expect(await isIn(open)).toBe(false)
    expect((await root.call(adminsContract.list)).body.admins).not.toHaveProperty(String(admin.id))
    const { username, email } = admin
    expect((await root.call(adminsContract.create, { body: { username, email, password: chosen } })).status).toBe(200)
  })

  test('a moved admin keeps campaigns and the pages that handlers may have, and must sign in again [ADM-23]', async () => {
    const admin = await app.make.admin({ permissions: ['leads', 'clients', 'admin_pages'], campaigns: [ids.north] })
    const open = await app.as(admin)
    const { status, body } = await root.call(adminsContract.move, { params: { id: admin.id } })
    expect([status, body]).toMatchObject([200, { id: admin.id, campaigns_count: 1 }])
    expect([await storedPages(admin.id), await storedCampaigns(admin.id)]).toEqual([['leads'], [ids.north]])
    expect(await isIn(open)).toBe(false)
    const found = (await root.call(leadsHandlersContract.list)).body.users.map((one: { id: number }) => one.id)
    expect(found).toContain(admin.id)
  })

  test('the list of pages has those that the caller may grant, each with a title [ADM-24]', async () => {
    const all = (await root.call(adminsContract.pages)).body
    expect(all).toContainEqual({ id: 'admin_pages', title: 'Admin Access' })
    const keeper = await app.as(await app.make.admin({ permissions: ['admin_pages', 'leads'] }))
    expect((await keeper.call(adminsContract.pages)).body).toEqual([{ id: 'leads', title: 'Leads' }])
  })
})

describe('what no one may grant or revoke', () => {
  test('a page or a campaign that they do not hold (R6) [PERM-07]', async () => {
    const keeper = await app.as(
      await app.make.admin({ permissions: ['admin_pages', 'leads_handlers', 'leads'], campaigns: [ids.north] }),
    )
    const admin = await app.make.admin({ permissions: ['leads'], campaigns: [ids.north] })
    const handler = await app.make.handler({ permissions: ['leads'], campaigns: [ids.north] })
    const account = () => ({ ...someone(), password: chosen })
    const wrong = [
      [{ pages: { clients: 1 } }, 'pages'],
      [{ pages: { admin_pages: 1 } }, 'pages'],
      [{ campaigns: { [ids.south]: 1 } }, 'campaigns'],
      [{ campaigns: { 999999: 1 } }, 'campaigns'],
    ] as const
    for (const [given, field] of wrong) {
      const made = await refused(403, () => keeper.call(adminsContract.create, { body: { ...account(), ...given } }))
      const changed = await refused(403, () =>
        keeper.call(adminsContract.update, { params: { id: admin.id }, body: given }),
      )
      expect([made, changed].map(({ errors }) => Object.keys(errors ?? {}))).toEqual([[field], [field]])
    }
    const wide = { pages: { archivedleads: 1 } }
    await refused(403, () => keeper.call(leadsHandlersContract.create, { body: { ...account(), ...wide } }))
    await refused(403, () => keeper.call(leadsHandlersContract.update, { params: { id: handler.id }, body: wide }))
    expect((await keeper.call(adminsContract.update, { params: { id: admin.id }, body: { pages: {} } })).status).toBe(
      200,
    )
  })

  test('any right of someone who holds more than they do', async () => {
    const keeper = await app.as(await app.make.admin({ campaigns: [ids.north] }))
    const more = await app.make.admin({ permissions: ['leads'], campaigns: [ids.north, ids.south] })
    const params = { id: more.id }
    await refused(403, () => keeper.call(adminsContract.get, { params }))
    await refused(403, () => keeper.call(adminsContract.update, { params, body: { password: chosen } }))
    await refused(403, () => keeper.call(adminsContract.update, { params, body: { pages: {} } }))
    await refused(403, () => keeper.call(adminsContract.remove, { params }))
    await refused(403, () => keeper.call(adminsContract.move, { params }))
    const handler = await app.make.handler({ campaigns: [ids.north, ids.south] })
    await refused(403, () =>
      keeper.call(leadsHandlersContract.update, { params: { id: handler.id }, body: { password: chosen } }),
    )
    await refused(403, () => keeper.call(leadsHandlersContract.remove, { params: { id: handler.id } }))
    await refused(403, () => keeper.call(leadsHandlersContract.move, { params: { id: handler.id } }))
  })

  test('their own rights, role or account, even as a super admin', async () => {
    const self = await app.make.admin({ campaigns: [ids.north] })
    const [admin, above] = [await app.as(self), await app.make.superAdmin()]
    const topmost = await app.as(above)
    for (const [who, id] of [
      [admin, self.id],
      [topmost, above.id],
    ] as const) {
      await refused(403, () => who.call(adminsContract.update, { params: { id }, body: { pages: {} } }))
      await refused(403, () => who.call(adminsContract.remove, { params: { id } }))
      await refused(403, () => who.call(adminsContract.move, { params: { id } }))
    }
  })

  test('super admin: admins see none, and no call makes or demotes one', async () => {
    const above = await app.make.superAdmin()
    const params = { id: above.id }
    const admin = await app.as(await app.make.admin({ campaigns: [ids.north, ids.south, ids.west] }))
    await refused(404, () => admin.call(adminsContract.get, { params }))
    await refused(404, () => admin.call(adminsContract.update, { params, body: { password: chosen } }))
    await refused(404, () => admin.call(adminsContract.remove, { params }))
    await refused(403, () => root.call(adminsContract.move, { params }))
    for (const forged of [{ role: 'super_admin' }, { isSuperAdmin: true }, { id: above.id }, { client_id: 1 }]) {
      const body = { ...someone(), password: chosen, ...forged }
      const { errors } = await refused(422, () => root.call(adminsContract.create, { body }))
      expect(errors).toHaveProperty(Object.keys(forged)[0]!)
      await refused(422, () => root.call(leadsHandlersContract.create, { body }))
    }
  })

  test('when super admins remove one another concurrently, one is left (R8)', async () => {
    const own = await startApp()
    try {
      const many = await Promise.all(Array.from({ length: 20 }, () => own.make.superAdmin()))
      const callers = await Promise.all(many.map((one) => own.as(one)))
      const answers = await Promise.all(
        callers.map((one, nth) =>
          one.call(adminsContract.remove, { params: { id: many[(nth + 1) % many.length]!.id } }),
        ),
      )
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      const left = await own.context.db.$count(
        usersTable,
        and(eq(usersTable.role, 'super_admin'), isNull(usersTable.deleted_at)),
      )
      expect(left).toBeGreaterThanOrEqual(1)
      const [last] = await own.context.db.select().from(usersTable).where(isNull(usersTable.deleted_at)).limit(1)
      expect((await (await own.as(last!)).call(sessionContract.me)).status).toBe(200)
    } finally {
      await own.close()
    }
  })

  test('revoked rights are gone with the next request (R7)', async () => {
    const admin = await app.make.admin({ permissions: ['clients'], campaigns: [ids.north] })
    const open = await app.as(admin)
    expect((await open.call(clientsContract.list)).status).toBe(200)
    await root.call(adminsContract.update, { params: { id: admin.id }, body: { pages: { leads: 1 } } })
    expect((await open.call(clientsContract.list)).status).toBe(403)
    expect((await open.call(sessionContract.me)).body.permissions).toMatchObject({ clients: false, leads: true })
  })
})

describe('leads handlers', () => {
  test('the list has those who share a campaign with the reader, and those who have none [LH-14]', async () => {
    const shared = await app.make.handler({ campaigns: [ids.north, ids.south] })
    const elsewhere = await app.make.handler({ campaigns: [ids.south] })
    const none = await app.make.handler()
    const keeper = await app.as(await app.make.admin({ campaigns: [ids.north] }))
    const { users: found } = (await keeper.call(leadsHandlersContract.list)).body
    const byId = new Map(found.map((one: { id: number }) => [one.id, one]))
    const { id, username, email } = shared
    expect(byId.get(id)).toEqual({ id, username, email, campaigns_count: 1, may_change: false })
    expect([byId.has(none.id), byId.has(elsewhere.id)]).toEqual([true, false])
    expect((await keeper.call(leadsHandlersContract.get, { params: { id: elsewhere.id } })).status).toBe(404)
  })

  test('a handler is created with pages and campaigns, and returned with them [LH-15, LH-16]', async () => {
    const form = { ...someone(), password: chosen }
    const made = await root.call(leadsHandlersContract.create, {
      body: { ...form, pages: { leads: 1 }, campaigns: { [ids.north]: 1 } },
    })
    expect(made.status).toBe(200)
    expect((await root.call(leadsHandlersContract.get, { params: { id: made.body.id } })).body).toEqual({
      id: made.body.id,
      username: form.username,
      email: form.email,
      version: 1,
      pages: { leads: 1 },
      campaigns: { [ids.north]: 1 },
      has_every_campaign: false,
    })
    const admin = await app.make.admin()
    expect((await root.call(leadsHandlersContract.get, { params: { id: admin.id } })).status).toBe(404)
  })

  test('an update by someone who sees fewer campaigns leaves the others unchanged (R6) [LH-17]', async () => {
    const handler = await app.make.handler({ permissions: ['leads'], campaigns: [ids.north, ids.west] })
    const keeper = await app.as(
      await app.make.admin({ permissions: ['leads_handlers', 'archivedleads'], campaigns: [ids.north, ids.south] }),
    )
    const body = { pages: { archivedleads: 1 }, campaigns: { [ids.south]: 1 } }
    expect((await keeper.call(leadsHandlersContract.update, { params: { id: handler.id }, body })).status).toBe(200)
    expect(await storedPages(handler.id)).toEqual(['archivedleads', 'leads'])
    expect(await storedCampaigns(handler.id)).toEqual([ids.south, ids.west])
  })

  test('only a super admin changes the campaigns of a handler who has all of them [LH-13, LH-21]', async () => {
    const all = (await app.context.db.execute<{ id: number }>(sql`select id from campaigns where not archived`)).rows
    const held = all.map(({ id }) => id)
    const handler = await app.make.handler({ permissions: ['leads'], campaigns: held })
    const keeper = await app.as(await app.make.admin({ campaigns: held }))
    const params = { id: handler.id }
    const { errors } = await refused(403, () =>
      keeper.call(leadsHandlersContract.update, { params, body: { campaigns: { [ids.north]: 1 } } }),
    )
    expect(errors).toHaveProperty('campaigns')
    const same = Object.fromEntries(held.map((id) => [id, 1]))
    const body = { pages: { leads: 1, archivedleads: 1 }, campaigns: same }
    expect((await keeper.call(leadsHandlersContract.update, { params, body })).status).toBe(200)
    expect(
      (await root.call(leadsHandlersContract.update, { params, body: { campaigns: { [ids.north]: 1 } } })).status,
    ).toBe(200)
    expect(await storedCampaigns(handler.id)).toEqual([ids.north])
  })

  test('a handler is removed [LH-18]', async () => {
    const handler = await app.make.handler()
    const open = await app.as(handler)
    expect((await root.call(leadsHandlersContract.remove, { params: { id: handler.id } })).status).toBe(204)
    expect(await isIn(open)).toBe(false)
    expect((await root.call(leadsHandlersContract.get, { params: { id: handler.id } })).status).toBe(404)
  })

  test('a handler who moves to the admins gets the role, but no more pages or campaigns [LH-19]', async () => {
    const handler = await app.make.handler({ permissions: ['leads'], campaigns: [ids.north] })
    const open = await app.as(handler)
    expect((await root.call(leadsHandlersContract.move, { params: { id: handler.id } })).status).toBe(200)
    expect([await storedPages(handler.id), await storedCampaigns(handler.id)]).toEqual([['leads'], [ids.north]])
    expect(await isIn(open)).toBe(false)
    expect((await (await app.as(handler)).call(sessionContract.me)).body).toMatchObject({ isAdmin: true })
    expect((await root.call(adminsContract.list)).body.admins).toHaveProperty(String(handler.id))
  })

  test('a handler can only have these five pages [LH-20]', async () => {
    const { body } = await root.call(leadsHandlersContract.pages)
    expect(body.map(({ id }: { id: string }) => id)).toEqual([...handlerFlags])
    const given = { ...someone(), password: chosen, pages: { clients: 1 } }
    await refused(422, () => root.call(leadsHandlersContract.create, { body: given }))
  })
})

describe('names and passwords', () => {
  test('missing, short, common and taken values are reported at their fields [ADM-11, LH-10]', async () => {
    const taken = await app.make.admin()
    const wrong: [object, number, string, string][] = [
      [{ username: '' }, 422, 'username', 'Please enter username'],
      [{ email: '' }, 422, 'email', 'Please enter email'],
      [{ email: 'nobody' }, 422, 'email', 'Email is not valid'],
      [{ password: '' }, 422, 'password', 'Please enter password'],
      [{ password: '1234567' }, 422, 'password', 'The password must be at least 8 character'],
      [
        { password: 'Password123' },
        422,
        'password',
        'This password is on the lists that attackers try first, please choose another',
      ],
      [{ username: taken.username.toUpperCase() }, 409, 'username', 'This name is taken'],
      [{ username: taken.username.replace('a', '\u00e1') }, 409, 'username', 'This name is taken'],
      [{ username: taken.email }, 409, 'username', 'This name is taken'],
      [{ email: taken.email }, 409, 'email', 'This email is taken'],
      [{ pages: { nonsense: 1 } }, 422, 'pages', ''],
      [{ pages: { leads: 2 } }, 422, 'pages.leads', 'Must be 0 or 1'],
      [{ campaigns: { abc: 1 } }, 422, 'campaigns', ''],
      [{ campaigns: { 999999: 1 } }, 422, 'campaigns', 'There is no such campaign'],
    ]
    for (const [part, status, field, line] of wrong)
      for (const call of [adminsContract.create, leadsHandlersContract.create]) {
        const body = { ...someone(), password: chosen, ...part }
        const { errors } = await refused(status, () => root.call(call, { body }))
        const [[name, lines]] = Object.entries(errors ?? {}) as [[string, string[]]]
        expect(name.startsWith(field), `${name} of ${JSON.stringify(part)}`).toBe(true)
        expect(lines.join()).toContain(line)
      }
    const params = { id: taken.id }
    await refused(422, () => root.call(adminsContract.update, { params, body: { password: '1234567' } }))
    await refused(422, () => root.call(adminsContract.update, { params, body: { username: 'other' } }))
  })

  test('when two requests take the same name, one gets it', async () => {
    const form = { ...someone(), password: chosen }
    const both = await Promise.all([0, 1].map(() => root.call(adminsContract.create, { body: form })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('a user’s own new password is checked against the same lists', async () => {
    const own = await app.as(await app.make.admin())
    const body = { old_password: password, new_password: 'password1', new_password_confirmation: 'password1' }
    const { errors } = await refused(422, () => own.call(sessionContract.updateProfile, { body }))
    expect(errors).toHaveProperty('new_password')
  })
})

test('a super admin sees a user’s sessions and ends them [PERM-01]', async () => {
  const admin = await app.make.admin()
  const open = await app.as(admin)
  const params = { id: admin.id }
  const { body } = await root.call(userSessionsContract.list, { params })
  expect(body).toMatchObject([{ address: '127.0.0.1', via: 'password' }])
  await refused(403, () => open.call(userSessionsContract.list, { params }))
  await refused(403, () => open.call(userSessionsContract.end, { params }))
  expect((await root.call(userSessionsContract.end, { params })).status).toBe(204)
  expect(await isIn(open)).toBe(false)
  expect((await root.call(userSessionsContract.list, { params: { id: 999999 } })).status).toBe(404)
})
