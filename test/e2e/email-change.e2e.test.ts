import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { emailChangeContract } from '#domains/access/email-change/contract.ts'
import { firstAdminEmail } from '#domains/access/labels.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { until } from '#test/until.ts'
import { pathOf, see, visit } from '#test/visit.ts'

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { SMTP_URL: sink.url }, work: true }))

test('an email is changed in the profile and confirmed by a button on the page of the link [MOVE-12]', async () => {
  const user = await app.make.admin()
  const page = await visit(app, await app.as(user), '/profile')
  const part = page.getByRole('region', { name: 'Email', exact: true })
  await part.getByRole('button', { name: 'Change email' }).click()
  await part.getByLabel('New email').waitFor()
  await part.getByRole('button', { name: 'Cancel' }).click()
  await see(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Change email')
  await page.keyboard.press('Enter')
  await part.getByRole('button', { name: 'Change email' }).click()
  await part.getByText('Please input your email', { exact: true }).waitFor()
  await part.getByLabel('New email').fill('moved@person.example')
  await part.getByRole('button', { name: 'Change email' }).click()
  await part.getByText(`${user.email} until the link that we sent to moved@person.example is opened`).waitFor()
  expect(await axeViolations(page)).toEqual([])

  const letter = await until(() => sink.letters.find(({ to }) => to.includes('moved@person.example')))
  const path = /\/email\?key=[\w-]+/.exec(letter.email.text ?? '')![0]
  const there = await visit(app, app.guest, path)
  await there.getByRole('button', { name: 'Confirm' }).click()
  expect(pathOf(there)).toBe('/email')
  await there.getByText('Your email is now moved@person.example').waitFor()
  expect(await axeViolations(there)).toEqual([])
  const again = await visit(app, app.guest, path)
  await again.getByRole('button', { name: 'Confirm' }).click()
  await again.getByText('This link was used already, or is too old. Ask for a new one in your profile.').waitFor()
  await page.reload()
  await part.getByText('moved@person.example', { exact: true }).waitFor()
})

test('the page of the link says that nothing has changed yet, and leads a client to the login of clients [MOVE-12, MOVE-13]', async () => {
  const client = await app.make.client()
  const customer = await app.make.customer({ client_id: client.id, email: 'owner@person.example' })
  const asked = (await app.as(customer)).call(emailChangeContract.change, { body: { email: 'boss@person.example' } })
  expect((await asked).status).toBe(200)
  const letter = await until(() => sink.letters.find(({ to }) => to.includes('boss@person.example')))
  const there = await visit(app, app.guest, /\/email\?\S+/.exec(letter.email.text ?? '')![0])
  await there.getByText('Confirm, and your account uses this address from now on.').waitFor()
  await there.getByRole('link', { name: 'To the login page' }).click()
  await see(() => pathOf(there)).toBe('/client-login')
})

test('a first administrator is asked for an email before the tour, once a visit until one is given [MOVE-12]', async () => {
  const admin = await app.make.superAdmin({ email: firstAdminEmail, saw_tour: false })
  const who = await app.as(admin)
  const page = await visit(app, who, '/')
  const asked = (opened: Page) => opened.getByRole('dialog', { name: 'Your email' })
  const tour = page.getByRole('complementary', { name: 'Tour' })
  await asked(page).waitFor()
  await page.getByRole('link', { name: /^Leads today/ }).waitFor({ state: 'attached' })
  expect(await tour.count()).toBe(0)
  // An agency without leads has nothing that is usual.
  await see(() =>
    page
      .getByText(/^Leads today/)
      .locator('..')
      .textContent(),
  ).toBe('Leads today0')
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await tour.getByText('Welcome to Leadline').waitFor()
  expect(await asked(page).count()).toBe(0)
  await page.reload()
  await tour.waitFor()
  expect(await asked(page).count()).toBe(0)

  const next = await visit(app, who, '/profile')
  await asked(next).getByLabel('Email').fill('boss@agency.example')
  await asked(next).getByRole('button', { name: 'Save' }).click()
  await next.getByText('Your email is now boss@agency.example').waitFor()
  await see(() => asked(next).count()).toBe(0)
  await next.reload()
  await next.getByRole('region', { name: 'Email', exact: true }).getByText('boss@agency.example').waitFor()
  expect(await asked(next).count()).toBe(0)
})
