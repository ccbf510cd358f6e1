import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { callsTo, confirmDialog, errorToast, see, visit, writesOf } from '#test/visit.ts'

let count = 0
const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'America/Denver' } }))
const keeper = await app.as(await app.make.superAdmin())

const open = (search = '') => visit(app, keeper, `/clients${search && `?search=${search}`}`)
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const dialogOf = (page: Page, name = 'Edit Client') => page.getByRole('dialog', { name })
const field = (page: Page, name: string) => page.getByRole('dialog').getByLabel(name, { exact: true })
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
const waitForToast = (page: Page, words: string) => page.getByRole('status').getByText(words).first().waitFor()
const client = async (values: object = {}) => {
  count += 1
  const user = { username: `firm-${count}`, email: `owner-${count}@firm.example` }
  const body = { name: `Firm ${count}`, user, password: 'a good password', ...values }
  return (await keeper.call(clientsContract.create, { body })).body
}
const read = async (id: number) => (await keeper.call(clientsContract.get, { params: { id } })).body
/** Only with the right password is a customer told where to sign in. */
const isTheirs = async (username: string, password: string) =>
  (await app.guest.call(sessionContract.login, { body: { username, password } })).body.error ===
  'Please use the client login site'

test('the page lists 200 clients with their columns [CL-01] [CL-02] [CL-03] [CL-04]', async () => {
  const acme = await client({ name: 'Acme Movers', timezone: 'America/Denver' })
  const bistro = await client({ name: 'Bistro Plumbing', disable_notifications: 1 })
  for (const name of ['Denver', 'Boulder']) await app.make.campaign({ client_id: acme.id, name: `Movers ${name}` })
  for (const name of ['Aspen', 'Golden', 'Ouray', 'Vail'])
    await app.make.campaign({ client_id: bistro.id, name: `Plumbing ${name}` })
  const page = await open()
  await page.getByRole('heading', { name: 'Clients', level: 1 }).waitFor()
  await rowOf(page, 'Acme Movers').waitFor()
  await see(() => page.getByRole('columnheader').allTextContents()).toEqual([
    'NM ID',
    'Client Name',
    'Client Email',
    'Notifications',
    'Client timezone',
    'Campaigns',
    'Active',
    'Actions',
  ])
  expect(callsTo(page, 'GET /api/client?')[0]).toContain('per_page=200')
  const cells = await rowOf(page, 'Acme Movers').getByRole('cell').allTextContents()
  expect(cells.slice(0, 6)).toEqual([
    String(acme.id),
    'Acme Movers',
    acme.user.email,
    'Enabled',
    'Mountain Time (Denver)',
    'Movers Boulder, Movers Denver',
  ])
  const folded = rowOf(page, 'Bistro Plumbing')
  await see(() => folded.getByText('Disabled').count()).toBe(1)
  const campaigns = () => folded.getByRole('link', { name: /^Plumbing/ }).allTextContents()
  await see(campaigns).toEqual(['Plumbing Aspen', 'Plumbing Golden'])
  await folded.getByRole('button', { name: '2 more' }).press('Enter')
  await see(campaigns).toEqual(['Plumbing Aspen', 'Plumbing Golden', 'Plumbing Ouray', 'Plumbing Vail'])
  await page.keyboard.press('Enter') // the button has kept the focus
  await see(campaigns).toHaveLength(2)
})

test('clients are searched by their campaigns too [CL-01]', async () => {
  const delta = await client({ name: 'Delta Movers' })
  await app.make.campaign({ client_id: delta.id, name: 'Movers Salida' })
  await client({ name: 'Canyon Plumbing' })
  const page = await open()
  await rowOf(page, 'Canyon Plumbing').waitFor()
  await page.getByRole('searchbox', { name: 'Search by Name or Email' }).fill('salida')
  await rowOf(page, 'Canyon Plumbing').waitFor({ state: 'detached' })
  await see(() => rowOf(page, 'Delta Movers').count()).toBe(1)
  await page.getByText('Total Items: 1').waitFor()
})

test('the switch changes at once and is saved; only on, which ends no sign-in link, has an Undo [CL-05]', async () => {
  const { id, name } = await client()
  const page = await open(name)
  const active = page.getByRole('switch', { name: `${name} is active` })
  expect(await active.isChecked()).toBe(true)
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/client/status', async (route) => {
    await answered
    await route.continue()
  })
  await active.click()
  await see(() => active.isChecked()).toBe(false)
  answer()
  await waitForToast(page, 'Client was updated successfully')
  await see(async () => (await read(id)).user.is_active).toBe(0)
  const undo = page.getByRole('button', { name: 'Undo' })
  expect(await undo.count()).toBe(0)
  await active.click()
  await undo.waitFor()
  expect((await read(id)).user.is_active).toBe(1)
  await undo.click()
  await see(async () => (await read(id)).user.is_active).toBe(0)
  await see(() => active.isChecked()).toBe(false)
})

test('a switch that fails goes back and says why', async () => {
  const { name } = await client()
  const page = await open(name)
  await page.route('**/api/client/status', (route) => route.abort())
  const active = page.getByRole('switch', { name: `${name} is active` })
  await active.click()
  await errorToast(page).getByText('The server could not be reached').waitFor()
  await see(() => active.isChecked()).toBe(true)
})

test('a new client has its fields, is confirmed, is in the list, and can sign in [CL-06] [CL-17]', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Create New Client' }).click()
  await dialogOf(page, 'Create New Client').waitFor()
  await field(page, 'Name').fill('Granite Roofing')
  await field(page, 'Nickname').fill('granite')
  await field(page, 'Email').fill('owner@granite.example')
  await field(page, 'Password').fill('a good password')
  await see(() => field(page, 'Time zone').inputValue()).toBe('Mountain Time (Denver)') // the agency's
  await field(page, 'Time zone').click()
  await page.getByRole('option', { name: 'Central Time (Chicago)' }).click()
  await field(page, 'Additional Emails').fill('desk@granite.example\nboss@granite.example')
  await page.getByRole('switch', { name: 'Notifications' }).click()
  await save(page)
  await waitForToast(page, 'Client was created successfully')
  await rowOf(page, 'Granite Roofing').getByText('Disabled').waitFor()
  const { body } = await keeper.call(clientsContract.list, { query: { search: 'granite roofing' } })
  expect(body.data[0]).toMatchObject({
    user: { username: 'granite', email: 'owner@granite.example', is_active: 1 },
    timezone: 'America/Chicago',
    emails: 'desk@granite.example\nboss@granite.example',
    disable_notifications: 1,
  })
  expect(await isTheirs('granite', 'a good password')).toBe(true)
})

test('missing and invalid fields have their messages, and nothing is sent [CL-07] [CL-08] [CL-09] [CL-10] [CL-11]', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Create New Client' }).click()
  await dialogOf(page, 'Create New Client').waitFor()
  page.calls.length = 0
  await save(page)
  for (const words of ['Please input name', 'Please input nickname', 'Please enter email', 'Please enter password'])
    await page.getByRole('dialog').getByText(words, { exact: true }).waitFor()
  await see(() => field(page, 'Name').evaluate((input) => input === document.activeElement)).toBe(true)
  await field(page, 'Password').fill('seven77')
  await field(page, 'Additional Emails').fill('a@b.example\nnobody')
  await save(page)
  await page.getByRole('dialog').getByText('The password must be at least 8 character', { exact: true }).waitFor()
  await page.getByRole('dialog').getByText('Line 2: ‘nobody’ is not an email').waitFor()
  expect(writesOf(page)).toEqual([])
})

test('a taken nickname is reported at its field, and what was typed stays', async () => {
  const { user } = await client()
  const page = await open()
  await page.getByRole('button', { name: 'Create New Client' }).click()
  await field(page, 'Name').fill('Copycat')
  await field(page, 'Nickname').fill(user.username)
  await field(page, 'Email').fill('copycat@b.example')
  await field(page, 'Password').fill('a good password')
  await save(page)
  await page.getByRole('dialog').getByText('This name is taken', { exact: true }).waitFor()
  await see(() => field(page, 'Nickname').evaluate((input) => input === document.activeElement)).toBe(true)
  await see(() => field(page, 'Name').inputValue()).toBe('Copycat')
})

test('editing starts from the current values; an empty password keeps the old one [CL-06] [CL-11] [CL-12] [CL-18]', async () => {
  const made = await client({ emails: 'desk@firm.example', timezone: 'America/Chicago' })
  const page = await open(made.name)
  await rowOf(page, made.name).getByRole('button', { name: 'Edit' }).click()
  await dialogOf(page).waitFor()
  await see(() => field(page, 'Name').inputValue()).toBe(made.name)
  await see(() => field(page, 'Nickname').inputValue()).toBe(made.user.username)
  await see(() => field(page, 'Email').inputValue()).toBe(made.user.email)
  expect(await field(page, 'Password').inputValue()).toBe('')
  await see(() => field(page, 'Time zone').inputValue()).toBe('Central Time (Chicago)')
  await see(() => field(page, 'Additional Emails').inputValue()).toBe('desk@firm.example')
  await field(page, 'Password').fill('short')
  await save(page)
  await page.getByRole('dialog').getByText('The password must be at least 8 character', { exact: true }).waitFor()
  await field(page, 'Password').fill('')
  await field(page, 'Email').fill('new@firm.example')
  await save(page)
  await waitForToast(page, 'Client was updated successfully')
  await rowOf(page, made.name).getByText('new@firm.example').waitFor()
  expect(await isTheirs(made.user.username, 'a good password')).toBe(true)
})

test('values that a colleague saved in the meantime are shown beside what was typed, and nothing is lost silently', async () => {
  const made = await client({ timezone: 'America/Chicago' })
  const page = await open(made.name)
  await rowOf(page, made.name).getByRole('button', { name: 'Edit' }).click()
  await field(page, 'Email').fill('mine@firm.example')
  const theirs = { timezone: 'America/Denver', user: { email: 'theirs@firm.example' } }
  await keeper.call(clientsContract.update, { params: { id: made.id }, body: theirs })
  await save(page)
  await page.getByRole('dialog').getByText(`${made.user.username}, theirs@firm.example`).waitFor()
  await see(() => field(page, 'Email').inputValue()).toBe('mine@firm.example')
  await see(() => field(page, 'Time zone').inputValue()).toBe('Mountain Time (Denver)')
  expect((await read(made.id)).user.email).toBe('theirs@firm.example')
})

test('the dialog makes a remote token and copies it [CL-13] [CL-14]', async () => {
  const made = await client()
  const page = await open(made.name)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await rowOf(page, made.name).getByRole('button', { name: 'Edit' }).click()
  const token = field(page, 'Remote Token')
  await see(() => token.getAttribute('placeholder')).toBe('None')
  await see(() => page.getByRole('button', { name: 'Copy', exact: true }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Generate' }).click()
  await waitForToast(page, 'New Token was generated')
  await see(() => token.inputValue()).toMatch(/^[\w-]{43}$/)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await waitForToast(page, 'Copied to clipboard')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe((await read(made.id)).user.remote_token)
  expect((await app.guest.call(sessionContract.authByToken, { body: { token: copied } })).body).toHaveProperty('token')
})

test('a delete says what goes and what stays; cancelled it sends nothing, confirmed it is reported and removes the row [CL-15] [CL-16] [DESK-12]', async () => {
  const made = await client()
  for (const archived of [true, true]) await app.make.campaign({ client_id: made.id, archived })
  const page = await open(made.name)
  const ask = () => rowOf(page, made.name).getByRole('button', { name: 'Delete' }).click()
  const asked = confirmDialog(page, 'Are you sure to remove this client?')
  await ask()
  await see(() => asked.getByRole('listitem').allTextContents()).toEqual([
    made.name,
    expect.stringMatching(/^The login \S+ is closed\.$/),
    '2 campaigns stay, with their leads.',
  ])
  page.calls.length = 0
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  expect(writesOf(page)).toEqual([])
  await ask()
  await asked.getByRole('button', { name: 'Delete' }).click()
  await waitForToast(page, 'Client was removed successfully')
  await page.getByText('List is empty').waitFor()
})

test('a client with active campaigns stays, and the toast says what to do', async () => {
  const made = await client()
  await app.make.campaign({ client_id: made.id })
  const page = await open(made.name)
  await rowOf(page, made.name).getByRole('button', { name: 'Delete' }).click()
  await confirmDialog(page, 'Are you sure to remove this client?').getByRole('button', { name: 'Delete' }).click()
  await errorToast(page).getByText('This client has an active campaign: archive it first').waitFor()
  await see(() => rowOf(page, made.name).count()).toBe(1)
})

test('a person with only some of a client’s campaigns sees the client, but cannot change it', async () => {
  const made = await client()
  const mine = await app.make.campaign({ client_id: made.id })
  await app.make.campaign({ client_id: made.id })
  const page = await visit(
    app,
    await app.as(await app.make.admin({ campaigns: [mine.id] })),
    `/clients?search=${made.name}`,
  )
  await rowOf(page, made.name).waitFor()
  await see(() => page.getByRole('switch').isDisabled()).toBe(true)
  expect(
    await rowOf(page, made.name)
      .getByRole('button', { name: /Edit|Delete/ })
      .count(),
  ).toBe(0)
})

test('list and dialog are accessible', async () => {
  const made = await client()
  const page = await visit(app, keeper, `/clients?search=${made.name}`)
  await rowOf(page, made.name).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await rowOf(page, made.name).getByRole('button', { name: 'Edit' }).click()
  await field(page, 'Remote Token').waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('the buttons of a row stay where they are when the rest of them arrives', async () => {
  const { name } = await client()
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const page = await visit(app, keeper, `/clients?search=${name}`, {
    alone: true,
    before: (made) =>
      made.route(/SeeAsButton/, async (route) => {
        await held
        await route.continue()
      }),
  })
  const button = (label: string) => rowOf(page, name).getByRole('button', { name: label })
  const places = () => Promise.all(['Edit', 'Reports', 'Delete'].map((label) => button(label).boundingBox()))
  await button('Edit').waitFor()
  const before = await places()
  release()
  await button('See as').and(page.locator(':not([aria-busy])')).waitFor()
  expect(await places()).toEqual(before)
})
