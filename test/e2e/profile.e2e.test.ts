import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { callsTo, errorToast, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Edit Profile' })

async function openProfile() {
  const user = await app.make.admin()
  const page = await visit(app, await app.as(user), '/')
  await page.getByRole('button', { name: user.username, exact: true }).click()
  await dialogOf(page).waitFor()
  const field = (label: string) => dialogOf(page).getByLabel(label, { exact: true })
  const save = () => dialogOf(page).getByRole('button', { name: 'Save' }).click()
  return { user, page, field, save }
}

test('the username in the top bar opens Edit Profile, which shows username and email to read only [PROF-01] [PROF-02]', async () => {
  const { user, field } = await openProfile()
  await see(() => field('Username').inputValue()).toBe(user.username)
  await see(() => field('Email').inputValue()).toBe(user.email)
  expect(await field('Username').isEditable()).toBe(false)
  expect(await field('Email').isEditable()).toBe(false)
})

test('it asks for the old password, the new one and the new one again [PROF-03]', async () => {
  const { page, field } = await openProfile()
  for (const label of ['Old Password', 'New Password', 'New Password Confirmation']) {
    await see(() => field(label).isEditable()).toBe(true)
    await see(() => field(label).getAttribute('type')).toBe('password')
  }
  await see(() => dialogOf(page).locator('input:not([readonly])').count()).toBe(3)
})

test('each empty password has its own message, and nothing is sent [PROF-04] [PROF-05] [PROF-06]', async () => {
  const { page, save } = await openProfile()
  await save()
  await page.getByText('Please input old password', { exact: true }).waitFor()
  await page.getByText('Please input new password', { exact: true }).waitFor()
  await page.getByText('Please input new password confirmation', { exact: true }).waitFor()
  expect(callsTo(page, 'PUT')).toEqual([]) // Home behind the dialog may still be reading
})

test('a confirmation that differs is refused [PROF-07]', async () => {
  const { page, field, save } = await openProfile()
  await field('Old Password').fill(password)
  await field('New Password').fill('a much better one')
  await field('New Password Confirmation').fill('a much better two')
  await save()
  await page.getByText("Passwords don't match!", { exact: true }).waitFor()
  expect(callsTo(page, 'PUT')).toEqual([]) // Home behind the dialog may still be reading
})

test('a saved profile is confirmed, and the new password signs in [PROF-08]', async () => {
  const { user, page, field, save } = await openProfile()
  await field('Old Password').fill(password)
  await field('New Password').fill('a much better one')
  await field('New Password Confirmation').fill('a much better one')
  await save()
  await page.getByText('Profile was updated successfully', { exact: true }).waitFor()
  await dialogOf(page).waitFor({ state: 'hidden' })
  const { body } = await app.guest.call(sessionContract.login, {
    body: { username: user.username, password: 'a much better one' },
  })
  expect(
    await (await app.guest.fetch('/api/user/me', { headers: { authorization: `Bearer ${body.token}` } })).json(),
  ).toMatchObject({
    username: user.username,
  })
})

test('a refusal by the server is shown at its field, keeps what was typed and has each line in the toast [SHELL-25]', async () => {
  const { page, field, save } = await openProfile()
  await field('Old Password').fill('not the old one')
  await field('New Password').fill('a much better one')
  await field('New Password Confirmation').fill('a much better one')
  const answered = page.waitForResponse((response) => response.request().method() === 'PUT')
  await save()
  const { message, errors } = await (await answered).json()
  const [line] = errors.old_password
  await errorToast(page).filter({ hasText: message }).filter({ hasText: line }).waitFor()
  await dialogOf(page).getByText(line).waitFor()
  await see(() => field('New Password').inputValue()).toBe('a much better one')
  await see(() => field('Old Password').evaluate((input) => input === document.activeElement)).toBe(true)
})
