import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { preferencesContract } from '#domains/access/preferences/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { callsTo, see, visit } from '#test/visit.ts'

const folder = mkdtempSync(join(tmpdir(), 'leadline-kept-'))
afterAll(() => rmSync(folder, { recursive: true }))
const app = await setUp(startApp({ settings: { DATA_DIR: folder } }))

test('cached lists are fetched once, and again after a write or a reload [SHELL-39]', async () => {
  const page = await visit(app, await app.as(await app.make.superAdmin()), '/')
  const asked = () => callsTo(page, 'GET /api/user/me').length
  await page.getByRole('link', { name: 'Campaign Categories' }).click()
  await page.getByRole('heading', { name: 'Campaign Categories' }).waitFor()
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('button', { name: 'Add link' }).click()
  expect(asked()).toBe(1)
  // The tool links are part of the user: a new link makes the browser fetch the user again.
  await page.getByLabel('Label').fill('Rank tracker')
  await page.getByLabel('URL').fill('https://ranks.example/')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Rank tracker' }).waitFor()
  expect(asked()).toBe(2)
  await page.reload()
  await page.getByRole('link', { name: 'Rank tracker' }).waitFor()
  expect(asked()).toBe(3)
})

test('a page that was opened before fetches session, rows and numbers before its code has loaded, and only once', async () => {
  const who = await app.as(await app.make.superAdmin())
  const calls = ['/api/user/me', '/api/leads/list/data', '/api/leads/list/statistic']
  const first = await visit(app, who, '/leads')
  await first.getByText('Total Items: 0').waitFor()
  let come = () => {}
  const asked = new Promise<void>((resolve) => {
    come = resolve
  })
  const missing = new Set(calls)
  const page = await visit(app, who, '/leads', {
    before: async (page) => {
      page.on('request', (request) => {
        missing.delete(new URL(request.url()).pathname)
        if (missing.size === 0) come()
      })
      await page.route('**/assets/shell-*.js', async (route) => {
        await asked
        await route.continue()
      })
    },
  })
  await page.getByText('Total Items: 0').waitFor()
  // An empty list also asks for other years, which is another question.
  const made = calls.flatMap((call) => callsTo(page, `GET ${call}`))
  expect(made).toEqual([...new Set(made)])
})

test('logging out leaves nothing that the next person would fetch or see (ASVS 14.3.1, 14.3.3)', async () => {
  await app.make.campaign({ name: 'Austin Roofs' })
  const page = await visit(app, await app.as(await app.make.superAdmin()), '/leads', { alone: true })
  await page.getByText('Total Items: 0').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Find a screen/ }).fill('Austin')
  await page.getByRole('option', { name: /Austin Roofs/ }).click()
  await page.getByRole('heading', { name: 'Austin Roofs', level: 1 }).waitFor()
  const kept = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
  for (const part of ['/api/leads/list/data', 'Austin Roofs', 'leadline_token']) expect(await kept()).toContain(part)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  expect(await kept()).not.toMatch(/api|Austin|token/)
})

test('the next user in the same tab has their own columns, not those of the user before', async () => {
  await app.make.lead({ campaign_id: (await app.make.campaign()).id })
  const [before, next] = [await app.make.superAdmin(), await app.make.superAdmin()]
  const hide = async (user: typeof before, hidden_columns: string) =>
    (await app.as(user)).call(preferencesContract.saveColumns, { query: { view: 'leads.list', hidden_columns } })
  await hide(before, 'lead_phone')
  await hide(next, 'lead_email')
  const page = await visit(app, await app.as(before), '/leads', { alone: true })
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true })
  await head('Email').waitFor()
  expect(await head('Phone').count()).toBe(0)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByLabel('Username', { exact: true }).fill(next.username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Leads', exact: true }).click()
  await head('Phone').waitFor()
  expect(await head('Email').count()).toBe(0)
})

test('admins, handlers, IPs and network categories are read once, and again after a write to them [SHELL-39]', async () => {
  const page = await visit(app, await app.as(await app.make.superAdmin()), '/')
  const menu = page.getByRole('navigation', { name: 'Menu' })
  const lists = [
    ['Admin Access', 'GET /api/admin/admins'],
    ['Leads Handlers Access', 'GET /api/leads-handlers'],
    ['IP Addresses', 'GET /api/ip'],
    ['Categories', 'GET /api/networkcategory'],
  ] as const
  const open = async (name: string) => {
    await menu.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.getByText(/Total Items: \d/).waitFor()
  }
  const asked = () => lists.map(([, call]) => page.calls.filter((one) => one.split('?')[0] === call).length)
  for (const [name] of lists) await open(name)
  const first = asked()
  expect(Math.min(...first)).toBe(1)
  for (const [name] of lists) await open(name)
  expect(asked()).toEqual(first)
  await page
    .getByRole('button', { name: /category/i })
    .first()
    .click()
  await page.getByRole('dialog').getByLabel('Name').fill('Kept')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('cell', { name: 'Kept' }).waitFor()
  expect(asked()[3]).toBeGreaterThan(first[3]!)
})

test('an image is shown with the token in its address, but not without it [SHELL-09]', async () => {
  const writer = await app.as(await app.make.superAdmin())
  const form = new FormData()
  const photo = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#2a5bd7' } })
    .png()
    .toBuffer()
  form.set('file', new Blob([new Uint8Array(photo)]), 'photo.png')
  const uploaded = await writer.fetch('/api/campaign-changelog/files', { method: 'POST', body: form })
  const { data } = (await uploaded.json()) as { data: { url: string } }
  const page = await visit(app, writer, '/')
  const widthOf = (address: string) =>
    page.evaluate(async (src) => {
      const image = new Image()
      image.src = src
      await image.decode().catch(() => undefined)
      return image.naturalWidth
    }, address)
  await see(() => widthOf(`${data.url}?api_token=${writer.token}`)).toBe(40)
  expect(await widthOf(`${data.url}?api_token=made-up`)).toBe(0)
  expect(await widthOf(data.url)).toBe(0)
})

test('a guest sees the login page and the rating pages, and nothing from the inside [PERM-15]', async () => {
  const page = await visit(app, app.guest, '/leads')
  await page.getByRole('heading', { name: 'Administrator Login' }).waitFor()
  expect(await page.getByRole('navigation').count()).toBe(0)
  await page.goto(`${app.url}/rate`)
  await page.getByText('Lead Not Found').waitFor()
  expect(callsTo(page, 'GET /api/leads')).toEqual([])
})
