import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { adminsContract, leadsHandlersContract } from '#domains/access/contract.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { password } from '#test/factories.ts'
import { callsTo, confirmDialog, errorToast, holdFirstWrite, see, type Visit, visit } from '#test/visit.ts'

const ids = { north: 0, south: 0 }
const app = await setUp(startApp())
const { make } = app
const root = await app.as(await make.superAdmin({ username: 'olivia' }))
const client = await make.client({ name: 'Acme' })
ids.north = (await make.campaign({ name: 'North Roofing', client_id: client.id })).id
ids.south = (await make.campaign({ name: 'South Plumbing' })).id
await make.campaign({ name: 'Old Paving', archived: true })

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const list = (page: Page, name: 'Pages Access' | 'Campaigns Access') =>
  page.getByRole('group', { name: new RegExp(name) })
const boxes = (page: Page, name: 'Pages Access' | 'Campaigns Access') =>
  list(page, name).getByRole('listitem').getByRole('checkbox')
const open = async (path: string, who = root): Promise<Visit> => {
  const page = await visit(app, who, path)
  await page.getByRole('table').waitFor()
  return page
}

describe('Admin Access', () => {
  test('the table has admins with name, email and assigned campaigns, and their count [ADM-01, ADM-02]', async () => {
    await app.context.pool.query(`update users set deleted_at = now() where role = 'admin'`)
    const admin = await app.make.admin({ username: 'morgan', email: 'morgan@agency.example', campaigns: [ids.north] })
    const page = await open('/admin/pages')
    await page.getByRole('heading', { name: 'Admin Access' }).waitFor()
    const heads = (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim())
    expect(heads.slice(0, 3)).toEqual(['Name', 'Email', 'Assigned Campaigns'])
    const shown = row(page, admin.email)
    await see(() => shown.getByRole('cell').allInnerTexts()).toMatchObject({ 2: '1' })
    await shown.getByRole('button', { name: 'Edit' }).waitFor()
    await shown.getByRole('button', { name: 'Delete' }).waitFor()
    await see(() => page.getByText('Total Items: 1').isVisible()).toBe(true)
    expect(await axeViolations(page)).toEqual([])
  })

  test('an account that arrives late does not replace the form that is open', async () => {
    const [late, soon] = [await app.make.admin(), await app.make.admin()]
    const page = await open('/admin/pages')
    const held = Promise.withResolvers<void>()
    await page.route(`**/api/admin/admins/${late.id}`, async (route) => {
      await held.promise
      await route.continue()
    })
    const answered = page.waitForResponse(`**/api/admin/admins/${late.id}`)
    await row(page, late.email).getByRole('button', { name: 'Edit' }).click()
    await row(page, soon.email).getByRole('button', { name: 'Edit' }).click()
    await dialog(page, `Update Admin ${soon.username}`).getByLabel('Password', { exact: true }).fill('half typed')
    held.resolve()
    await (await answered).finished()
    await boxes(page, 'Pages Access').first().waitFor()
    expect(
      await dialog(page, `Update Admin ${soon.username}`).getByLabel('Password', { exact: true }).inputValue(),
    ).toBe('half typed')
  })

  test('a new admin needs a username, an email and a password of 8 characters [ADM-08, ADM-09, ADM-10, ADM-11]', async () => {
    const page = await open('/admin/pages')
    await page.getByRole('button', { name: 'Create New Admin' }).click()
    const form = dialog(page, 'Create New Admin')
    await boxes(page, 'Pages Access').first().waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    for (const line of ['Please enter username', 'Please enter email', 'Please enter password'])
      await form.getByText(line, { exact: true }).waitFor()
    await form.getByLabel('Username').fill('casey')
    await form.getByLabel('Email').fill('casey@agency.example')
    await form.getByLabel('Password', { exact: true }).fill('short')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('The password must be at least 8 character').waitFor()
    expect(callsTo(page, 'POST /api/admin')).toEqual([])
  })

  test('a new admin is created in one dialog, with pages and campaigns [ADM-03, ADM-04]', async () => {
    const page = await open('/admin/pages')
    await page.getByRole('button', { name: 'Create New Admin' }).click()
    const form = dialog(page, 'Create New Admin')
    await boxes(page, 'Pages Access').first().waitFor()
    await form.getByLabel('Username').fill('casey')
    await form.getByLabel('Email').fill('casey@agency.example')
    await form.getByLabel('Password', { exact: true }).fill('a fine long password')
    await list(page, 'Pages Access').getByRole('checkbox', { name: 'Clients', exact: true }).check()
    await list(page, 'Campaigns Access')
      .getByRole('checkbox', { name: /North Roofing/ })
      .check()
    expect(await axeViolations(page)).toEqual([])
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Admin was created successfully').waitFor()
    await see(() => row(page, 'casey@agency.example').getByRole('cell').allInnerTexts()).toMatchObject({ 2: '1' })
  })

  test('a list that is still loading is not called empty [ADM-04]', async () => {
    const held: (() => unknown)[] = []
    const page = await visit(app, root, '/admin/pages', {
      before: (one) => one.route('**/api/campaigns/all*', (route) => void held.push(() => route.continue())),
    })
    await page.getByRole('button', { name: 'Create New Admin' }).click()
    await list(page, 'Campaigns Access').waitFor()
    await see(() => list(page, 'Campaigns Access').locator('li[aria-hidden]').count()).toBe(1)
    expect(await list(page, 'Campaigns Access').getByText('List is empty').count()).toBe(0)
    await see(() => held.length).toBeGreaterThan(0)
    for (const go of held) await go()
    await list(page, 'Campaigns Access').getByText('North').first().waitFor()
  })

  test('Check all ticks every entry; a search narrows both lists and what it ticks [ADM-05]', async () => {
    const page = await open('/admin/pages')
    await page.getByRole('button', { name: 'Create New Admin' }).click()
    for (const name of ['Pages Access', 'Campaigns Access'] as const) {
      await boxes(page, name).first().waitFor()
      await list(page, name).getByRole('checkbox', { name: 'Check all', exact: true }).check()
      const ticked = await boxes(page, name).evaluateAll((all) => all.map((one) => (one as HTMLInputElement).checked))
      expect([ticked.length > 1, ticked.every(Boolean)]).toEqual([true, true])
      await list(page, name).getByRole('checkbox', { name: 'Check all', exact: true }).uncheck()
    }
    await list(page, 'Campaigns Access').getByText('South Plumbing').first().waitFor()
    expect(await list(page, 'Campaigns Access').getByText('Old Paving').count()).toBe(0) // archived, so not offered
    await page.getByLabel('Search in Campaigns Access').fill('acme')
    await list(page, 'Campaigns Access').getByRole('checkbox', { name: 'Check all 1 found' }).check()
    await page.getByLabel('Search in Campaigns Access').fill('')
    await see(() => list(page, 'Campaigns Access').getByRole('checkbox', { name: /North/ }).isChecked()).toBe(true)
    expect(await list(page, 'Campaigns Access').getByRole('checkbox', { name: /South/ }).isChecked()).toBe(false)
  })

  test('an edit keeps the password that is left empty [ADM-12, ADM-15]', async () => {
    const admin = await app.make.admin({ username: 'dana', permissions: ['leads'] })
    const page = await open('/admin/pages')
    await row(page, admin.email).getByRole('button', { name: 'Edit' }).click()
    const form = dialog(page, 'Update Admin dana')
    await list(page, 'Pages Access').getByRole('checkbox', { name: 'Clients', exact: true }).check()
    expect(await form.getByLabel('Username').count()).toBe(0)
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().includes('/admin/admins/'),
    )
    await form.getByRole('button', { name: 'Save' }).click()
    expect((await sent).postDataJSON()).not.toHaveProperty('password')
    await page.getByText('Admin was changed successfully').waitFor()
    const login = await app.guest.call(sessionContract.login, { body: { username: 'dana', password } })
    expect(login.body).toHaveProperty('token')
  })

  test('a move says what is lost; cancelling changes nothing, agreeing puts them among the handlers [ADM-06, ADM-07]', async () => {
    const admin = await app.make.admin({ username: 'robin', permissions: ['leads', 'clients'] })
    const page = await open('/admin/pages')
    await row(page, admin.email).getByRole('button', { name: 'Edit' }).click()
    const move = page.getByRole('button', { name: 'Move to Leads Handlers' })
    const asked = confirmDialog(page, 'Are you sure to change role for this users. Some permissions might be lost')
    await boxes(page, 'Campaigns Access').first().waitFor()
    await move.click()
    await asked.getByText('Loses these pages: Clients').waitFor()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await asked.waitFor({ state: 'hidden' })
    expect(callsTo(page, 'PATCH')).toEqual([])
    await move.click()
    await asked.getByRole('button', { name: 'Yes' }).click()
    await row(page, admin.email).waitFor({ state: 'detached' })
    const others = await open('/leads-handlers')
    await row(others, admin.email).waitFor()
  })

  test('a move that is answered after its dialog was closed leaves the next dialog open [DESK-11]', async () => {
    const [moved, next] = [await app.make.admin(), await app.make.admin()]
    const page = await open('/admin/pages')
    const answer = await holdFirstWrite(page, '**/api/admin/**')
    await row(page, moved.email).getByRole('button', { name: 'Edit' }).click()
    await boxes(page, 'Campaigns Access').first().waitFor()
    await page.getByRole('button', { name: 'Move to Leads Handlers' }).click()
    await confirmDialog(page, 'Are you sure to change role').getByRole('button', { name: 'Yes' }).click()
    await page.keyboard.press('Escape')
    await see(() => dialog(page, `Update Admin ${moved.username}`).count()).toBe(0)
    await row(page, next.email).getByRole('button', { name: 'Edit' }).click()
    const typed = dialog(page, `Update Admin ${next.username}`).getByLabel('Password', { exact: true })
    await typed.fill('half typed')
    answer()
    await row(page, moved.email).waitFor({ state: 'detached' })
    expect(await typed.inputValue()).toBe('half typed')
  })

  test('ticks of two concurrent editors are shown side by side, and nothing is lost (R28)', async () => {
    const admin = await app.make.admin({ username: 'shared', permissions: ['leads'] })
    const params = { id: admin.id }
    const page = await open('/admin/pages')
    await row(page, admin.email).getByRole('button', { name: 'Edit' }).click()
    const form = dialog(page, 'Update Admin shared')
    await list(page, 'Pages Access').getByRole('checkbox', { name: 'Clients', exact: true }).check()
    const body = { pages: { leads: 1, campaigns: 1 }, campaigns: { [ids.north]: 1 } }
    expect((await root.call(adminsContract.update, { params, body })).status).toBe(200)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Someone changed this to Campaigns, Leads').waitFor()
    await see(() => list(page, 'Campaigns Access').getByRole('checkbox', { name: /North/ }).isChecked()).toBe(true)
    await form.getByRole('button', { name: 'Keep mine' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Admin was changed successfully').waitFor()
    const { permissions, campaignsPermissions } = (await root.call(adminsContract.get, { params })).body
    expect([permissions, campaignsPermissions]).toEqual([{ clients: 1, leads: 1 }, { [ids.north]: 1 }])
  })

  test('deleting asks first [ADM-13, ADM-14, ADM-16]', async () => {
    const admin = await app.make.admin({ username: 'gone' })
    const page = await open('/admin/pages')
    await row(page, admin.email).getByRole('button', { name: 'Delete' }).click()
    const asked = confirmDialog(page, 'Are you sure to remove this admin?')
    await see(() => asked.getByRole('listitem').allTextContents()).toEqual([
      `gone (${admin.email}), who has 0 campaigns.`,
      'All sessions and API keys end at once. What the person did stays.',
    ])
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await row(page, admin.email).getByRole('button', { name: 'Delete' }).click()
    await asked.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Admin was deleted successfully').waitFor()
    await row(page, admin.email).waitFor({ state: 'detached' })
  })

  test('people with more permissions, and oneself, have no buttons; a permission revoked in the meantime is reported (R7)', async () => {
    const more = await app.make.admin({ username: 'bigger', campaigns: [ids.north, ids.south] })
    const self = await app.make.admin({ username: 'keeper', campaigns: [ids.north] })
    const page = await open('/admin/pages', await app.as(self))
    await see(() => row(page, more.email).textContent()).toContain('Has more rights')
    await see(() => row(page, self.email).textContent()).toContain('You')
    await page.mouse.move(0, 0)
    expect(await axeViolations(page)).toEqual([])
    expect(await row(page, more.email).getByRole('button').count()).toBe(0)
    const victim = await app.make.admin({ username: 'victim', permissions: [] })
    await page.reload()
    await row(page, victim.email).waitFor()
    await app.context.pool.query(`update users set permissions = '{}' where id = ${self.id}`)
    await row(page, victim.email).getByRole('button', { name: 'Delete' }).click()
    await confirmDialog(page, 'Are you sure to remove this admin?').getByRole('button', { name: 'Delete' }).click()
    await errorToast(page).getByText('You are not allowed to do this').waitFor()
  })

  test('a super admin sees where a person is signed in, and ends a session', async () => {
    const admin = await app.make.admin({ username: 'signed' })
    await app.as(admin)
    const page = await open('/admin/pages')
    const opener = row(page, admin.email).getByRole('button', { name: 'Sessions' })
    await opener.click()
    const sessions = dialog(page, 'Sessions of signed')
    await see(() => sessions.getByRole('row').count()).toBe(2)
    await sessions.getByRole('button', { name: 'End all sessions' }).click()
    await confirmDialog(page, 'Are you sure to sign this user out everywhere?')
      .getByRole('button', { name: 'Sign out' })
      .click()
    await sessions.getByText('List is empty').waitFor()
    await page.keyboard.press('Escape')
    await see(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  test('on a phone a message does not cover the buttons of the form that it is about', async () => {
    const taken = await app.make.admin()
    const page = await visit(app, root, '/admin/pages', { viewport: { width: 390, height: 664 } })
    await page.getByRole('button', { name: 'Create New Admin' }).click()
    const form = dialog(page, 'Create New Admin')
    await form.getByLabel('Username').fill(taken.username)
    await form.getByLabel('Email').fill(taken.email)
    await form.getByLabel('Password', { exact: true }).fill('Abbey road 1969')
    const button = form.getByRole('button', { name: 'Save' })
    await button.click()
    const message = (await errorToast(page).boundingBox())!
    expect(message.y + message.height).toBeLessThan((await button.boundingBox())!.y)
  })

  test('on a phone no button is narrower than its words', async () => {
    const admin = await app.make.admin({ username: 'narrow' })
    await app.as(admin)
    const page = await visit(app, root, '/admin/pages', { viewport: { width: 390, height: 844 } })
    const card = page.getByRole('listitem').filter({ hasText: admin.email })
    await card.getByRole('button', { name: 'More' }).click()
    await card.getByRole('button', { name: 'Sessions' }).click()
    const words = dialog(page, 'Sessions of narrow').getByText('End all sessions')
    await see(() => words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  })
})

describe('Leads Handlers Access', () => {
  test('the page lists handlers with edit and delete, and their count [LH-01, LH-02]', async () => {
    const handler = await app.make.handler({ username: 'harper' })
    const page = await open('/leads-handlers')
    await page.getByRole('heading', { name: 'Leads Handlers Access' }).waitFor()
    await row(page, handler.email).getByRole('button', { name: 'Edit' }).waitFor()
    await row(page, handler.email).getByRole('button', { name: 'Delete' }).waitFor()
    await page.getByText(/Total Items: \d/).waitFor()
  })

  test('a new handler needs a username, an email and a password [LH-07, LH-08, LH-09]', async () => {
    const page = await open('/leads-handlers')
    await page.getByRole('button', { name: 'Create New Lead Handler' }).click()
    const form = dialog(page, 'Create User')
    await boxes(page, 'Pages Access').first().waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    for (const line of ['Please enter username', 'Please enter email', 'Please enter password'])
      await form.getByText(line, { exact: true }).waitFor()
  })

  test('a new handler is created in one dialog, with pages and campaigns [LH-03, LH-04, LH-05, LH-11]', async () => {
    const page = await open('/leads-handlers')
    await page.getByRole('button', { name: 'Create New Lead Handler' }).click()
    const form = dialog(page, 'Create User')
    await boxes(page, 'Pages Access').first().waitFor()
    expect(await page.getByRole('button', { name: 'Move to Admins' }).count()).toBe(0)
    await form.getByLabel('Username').fill('indigo')
    await form.getByLabel('Email').fill('indigo@agency.example')
    await form.getByLabel('Password', { exact: true }).fill('a fine long password')
    await list(page, 'Pages Access').getByRole('checkbox', { name: 'Check all', exact: true }).check()
    await see(() => boxes(page, 'Pages Access').count()).toBe(5)
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Success', { exact: true }).waitFor()
    await row(page, 'indigo@agency.example').waitFor()
  })

  test('editing a handler offers the move, refuses a short password, and saves the campaigns [LH-03, LH-05]', async () => {
    const handler = await app.make.handler({ username: 'jules' })
    const page = await open('/leads-handlers')
    const edited = row(page, handler.email)
    await edited.getByRole('button', { name: 'Edit' }).click()
    const edit = dialog(page, 'Update User jules')
    for (const name of ['Move to Admins', 'Cancel', 'Save']) await edit.getByRole('button', { name }).waitFor()
    await edit.getByLabel('Password', { exact: true }).fill('short')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.getByText('The password must be at least 8 character').waitFor()
    await edit.getByLabel('Password', { exact: true }).fill('')
    await list(page, 'Campaigns Access').getByRole('checkbox', { name: /South/ }).check()
    await edit.getByRole('button', { name: 'Save' }).click()
    await see(() => edited.getByRole('cell').allInnerTexts()).toMatchObject({ 2: '1' })
  })

  test('deleting a handler asks first; cancelling does nothing [LH-12]', async () => {
    const handler = await app.make.handler({ username: 'kelly' })
    const page = await open('/leads-handlers')
    const removed = row(page, handler.email)
    await removed.getByRole('button', { name: 'Delete' }).click()
    const asked = confirmDialog(page, 'Are you sure to remove this admin?')
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await asked.waitFor({ state: 'hidden' })
    expect(callsTo(page, 'DELETE')).toEqual([])
    await removed.getByRole('button', { name: 'Delete' }).click()
    await asked.getByRole('button', { name: 'Delete' }).click()
    await removed.waitFor({ state: 'detached' })
  })

  test('a move to the admins asks first [LH-06]', async () => {
    const handler = await app.make.handler({ username: 'rising' })
    const page = await open('/leads-handlers')
    await row(page, handler.email).getByRole('button', { name: 'Edit' }).click()
    const asked = confirmDialog(page, 'Are you sure to change role for this user? He might get extra permissions')
    await boxes(page, 'Campaigns Access').first().waitFor()
    await page.getByRole('button', { name: 'Move to Admins' }).click()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await asked.waitFor({ state: 'hidden' })
    expect(callsTo(page, 'PATCH')).toEqual([])
    await page.getByRole('button', { name: 'Move to Admins' }).click()
    await asked.getByRole('button', { name: 'Yes' }).click()
    await row(page, handler.email).waitFor({ state: 'detached' })
    await row(await open('/admin/pages'), handler.email).waitFor()
  })

  test('of a handler with more rights the ticks can be changed, and nothing else [LH-13]', async () => {
    const campaigns = [ids.north]
    const handler = await app.make.handler({ username: 'wider', permissions: ['leadChart'], campaigns })
    const keeper = await app.make.admin({ permissions: ['leads_handlers'], campaigns })
    const page = await open('/leads-handlers', await app.as(keeper))
    await see(() => row(page, handler.email).textContent()).toContain('Has more rights')
    expect(await row(page, handler.email).getByRole('button').count()).toBe(1)
    await row(page, handler.email).getByRole('button', { name: 'Edit' }).click()
    const form = dialog(page, 'Update User wider')
    await list(page, 'Campaigns Access').getByRole('checkbox', { name: /North/ }).uncheck()
    await see(() => form.getByRole('button').allInnerTexts()).toEqual(['', 'Cancel', 'Save'])
    expect(await form.getByLabel('Password').count()).toBe(0)
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Success', { exact: true }).waitFor()
    const { body } = await root.call(leadsHandlersContract.get, { params: { id: handler.id } })
    expect([body.pages, body.campaigns]).toEqual([{ leadChart: 1 }, {}])
  })

  test('the campaigns of a handler who has every one are locked for all but super admins [LH-13]', async () => {
    const { rows } = await app.context.pool.query<{ id: number }>('select id from campaigns')
    const campaigns = rows.map(({ id }) => id)
    const handler = await app.make.handler({ username: 'everywhere', campaigns })
    const keeper = await app.as(await app.make.admin({ username: 'all too', campaigns }))
    const page = await open('/leads-handlers', keeper)
    await row(page, handler.email).getByRole('button', { name: 'Edit' }).click()
    await page.getByText('Only a super admin can change a handler who has all campaigns.').waitFor()
    await see(() => boxes(page, 'Campaigns Access').first().isDisabled()).toBe(true)
    const above = await open('/leads-handlers')
    await row(above, handler.email).getByRole('button', { name: 'Edit' }).click()
    await see(() => boxes(above, 'Campaigns Access').first().isEnabled()).toBe(true)
  })
})

describe('the audit trail', () => {
  test('a super admin finds an entry and sees before and after side by side', async () => {
    const admin = await app.make.admin({ username: 'traced', permissions: ['leads'] })
    const params = { id: admin.id }
    await root.call(adminsContract.update, { params, body: { pages: { leads: 1, clients: 1 } } })
    const page = await open('/admin/pages')
    await page.getByRole('link', { name: 'Audit Trail' }).click()
    await page.getByRole('heading', { name: 'Audit Trail' }).waitFor()
    await page.getByRole('searchbox', { name: 'Number' }).fill(String(admin.id))
    await see(() => page.getByRole('row').count()).toBe(2)
    await see(() => page.url()).toContain(`row_id=${admin.id}`)
    await page.getByRole('button', { name: 'Before and after' }).click()
    const entry = dialog(page, `User ${admin.id}`)
    const cells = entry.getByRole('row', { name: /Permissions/ }).getByRole('cell')
    await see(() => cells.allTextContents()).toMatchObject([
      expect.not.stringContaining('clients'),
      expect.stringContaining('clients'),
    ])
    expect(await axeViolations(page)).toEqual([])
  })

  test('the trail names fields as the forms do, and names the campaign of a number', async () => {
    const [roofs, pools] = [await app.make.campaign({ name: 'Audited Roofs' }), await app.make.campaign()]
    const gmb = await app.make.gmb({ campaign_id: pools.id })
    await root.call(gmbsContract.update, {
      params: { id: gmb.id },
      body: { title: 'Moved', link: gmb.link, campaign_id: roofs.id, status: 1, review_link: 'https://r.example' },
    })
    const page = await open(`/admin/audit?kind=listing&row_id=${gmb.id}`)
    await page.getByRole('cell', { name: /Campaign.*Review Link|Review Link.*Campaign/ }).waitFor()
    await page.getByRole('button', { name: 'Before and after' }).click()
    const row = dialog(page, `Listing ${gmb.id}`).getByRole('row', { name: /^Campaign/ })
    await see(() => row.getByRole('cell').allTextContents()).toEqual([
      expect.stringMatching(/ \(No\. \d+\)$/),
      `Audited Roofs (No. ${roofs.id})`,
    ])
  })

  test('the trail names the key of a change, and the number of a statement', async () => {
    const [user, { id }] = [await app.make.superAdmin({ username: 'kim' }), await app.make.campaign()]
    await app.context.db.insert(auditTable).values([
      {
        ...{ user_id: user.id, username: 'kim', key_id: 7, key_name: 'Zapier' },
        ...{ kind: 'statement', row_id: id, action: 'created', after: { number: '2026-11-0042' } },
      },
    ])
    const page = await open(`/admin/audit?kind=statement&row_id=${id}`)
    await page.getByRole('cell', { name: 'kim with the key Zapier' }).waitFor()
    await page.getByRole('button', { name: 'Before and after' }).click()
    const entry = dialog(page, `Statement 2026-11-0042 of campaign No. ${id}`)
    await entry.getByText('Created by kim with the key Zapier').waitFor()
  })

  test('no one else can open it', async () => {
    const page = await open('/admin/pages', await app.as(await app.make.admin()))
    expect(await page.getByRole('link', { name: 'Audit Trail' }).count()).toBe(0)
    await page.goto(`${app.url}/admin/audit`)
    await page.getByText('You do not have access to this page').waitFor()
  })
})
