import { expect, test } from 'vitest'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { until } from '#test/until.ts'
import { pathOf, see, visit } from '#test/visit.ts'

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { SMTP_URL: sink.url }, work: true }))

/** The address that was mailed to this person, without the host. */
async function readMailedPath(address: string): Promise<string> {
  const letter = await until(() => sink.letters.find(({ to }) => to.includes(address)))
  return /\/reset\?key=[\w-]+/.exec(letter.email.text ?? '')![0]
}

test('from the login page, by mail, to a new password [SIGN-03]', async () => {
  const user = await app.make.admin()
  const page = await visit(app, app.guest, '/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByRole('heading', { name: 'Forgot password' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('Please input your email', { exact: true }).waitFor()
  await page.getByLabel('Email').fill(user.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('If an account has this email').waitFor()
  expect(await axeViolations(page)).toEqual([])

  const path = await readMailedPath(user.email)
  await page.goto(`${app.url}${path}.`) // a mail program may take the end of a sentence along
  await page.getByLabel('New Password', { exact: true }).fill('battery staple')
  expect(pathOf(page)).toBe('/reset')
  await page.getByLabel('New Password Confirmation').fill('battery stable')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText("Passwords don't match!", { exact: true }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('New Password Confirmation').fill('battery staple')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('Your password was saved. Please log in.').waitFor()
  await page.getByRole('link', { name: 'To the login page' }).click()
  await page.getByLabel('Username').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill('battery staple')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText(`Hello, ${user.username}!`).waitFor()

  const again = await visit(app, app.guest, path)
  await again.getByText('This link was used already, or is too old. Ask for a new one.').waitFor()
  expect(await again.getByLabel('New Password', { exact: true }).count()).toBe(0)
  await again.getByRole('link', { name: 'Ask for a new link' }).click()
  await see(() => pathOf(again)).toBe('/forgot')
})

test('the key of a link leaves the address before anything else loads, and a reload says what to do and offers a new link', async () => {
  const key = 'k'.repeat(22)
  const seen: string[] = []
  const page = await visit(app, app.guest, `/reset?key=${key}`, {
    alone: true,
    before: async (page) => {
      page.on('request', (request) => {
        if (!request.isNavigationRequest()) seen.push(`${request.url()} from ${request.headers().referer}`)
      })
      await page.addInitScript(() => {
        const { fetch } = window
        window.fetch = (...call) => {
          sessionStorage.setItem('shown', location.href)
          return fetch(...call)
        }
      })
    },
  })
  await page.getByText('This link was used already, or is too old. Ask for a new one.').waitFor()
  expect(pathOf(page)).toBe('/reset')
  expect(await page.evaluate(() => sessionStorage.getItem('shown'))).toBe(`${app.url}/reset`)
  expect(seen.length).toBeGreaterThan(3)
  expect(seen.filter((request) => request.includes(key))).toEqual([])
  await page.reload()
  await page.getByText('Please open the link in the email again.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Ask for a new link' }).click()
  await page.getByRole('heading', { name: 'Forgot password' }).waitFor()
})

test('an admin is created by invitation, and an existing one can be sent another [SIGN-03]', async () => {
  const page = await visit(app, await app.as(await app.make.superAdmin()), '/admin/pages')
  await page.getByRole('button', { name: 'Create New Admin' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New Admin' })
  await dialog.getByLabel('Username').fill('nora')
  await dialog.getByLabel('Email').fill('nora@agency.example')
  await dialog.getByLabel('Password', { exact: true }).waitFor()
  await dialog.getByRole('switch', { name: 'Send an invitation instead' }).check()
  await dialog.getByLabel('Password', { exact: true }).waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Admin was created successfully').waitFor()

  const invited = await visit(app, app.guest, await readMailedPath('nora@agency.example'))
  await invited.getByLabel('New Password', { exact: true }).fill('battery staple')
  await invited.getByLabel('New Password Confirmation').fill('battery staple')
  await invited.getByRole('button', { name: 'Save password' }).click()
  await invited.getByRole('button', { name: 'Log out' }).waitFor()
  expect(pathOf(invited)).not.toBe('/reset')
  const { body } = await app.guest.call(sessionContract.login, {
    body: { username: 'nora', password: 'battery staple' },
  })
  expect(body).toHaveProperty('token')

  await page.getByRole('row').filter({ hasText: 'nora' }).getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByText('The invitation is on its way').waitFor()
})
