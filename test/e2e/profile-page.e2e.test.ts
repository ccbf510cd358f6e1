import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { watchesContract } from '#domains/signals/watches/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { axeViolations } from '#test/axe.ts'
import { password } from '#test/factories.ts'
import { confirmDialog, errorToast, holdFirstWrite, pathOf, see, visit } from '#test/visit.ts'

const app = await setUp(startApp())

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('Edit Profile leads to the profile page, which anyone reads on a phone too [SIGN-06]', async () => {
  const user = await app.make.handler()
  const sessions = Promise.withResolvers<void>()
  const page = await visit(app, await app.as(user), '/', {
    before: (page) =>
      page.route('**/api/user/sessions', async (route) => {
        await sessions.promise
        await route.continue()
      }),
  })
  await page.getByRole('button', { name: user.username, exact: true }).click()
  await page.getByRole('dialog', { name: 'Edit Profile' }).getByRole('link').click()
  await page.getByRole('heading', { name: 'Profile', exact: true }).waitFor()
  expect(pathOf(page)).toBe('/profile')
  const above = page.locator('#password')
  await above.waitFor({ state: 'attached' })
  expect(await above.isVisible(), 'the parts come together').toBe(false)
  sessions.resolve()
  for (const name of ['Password', 'Sessions', 'Time format']) await part(page, name).waitFor()
  await part(page, 'Sessions').getByText('this session').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  const hasNoSidewaysScroll = () =>
    page.locator('#content').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)
  await see(hasNoSidewaysScroll).toBe(true)
})

test('a section that has nothing for a person is not on their profile page [SIGN-06]', async () => {
  const has = async (who: { id: number }) => {
    const page = await visit(app, await app.as(who), '/profile')
    await part(page, 'Time format').waitFor()
    return (await part(page, 'Notifications').count()) > 0
  }
  expect(await has(await app.make.admin())).toBe(true)
  expect(await has(await app.make.admin({ permissions: ['leads'] }))).toBe(false)
  expect(await has(await app.make.customer())).toBe(false)
})

test('the password is changed there; a refusal lands on its field [SIGN-06]', async () => {
  const user = await app.make.admin()
  const page = await visit(app, await app.as(user), '/profile', {
    alone: true,
    before: (page) => page.clock.install(),
  })
  const field = (label: string) => part(page, 'Password').getByLabel(label, { exact: true })
  const save = () => part(page, 'Password').getByRole('button', { name: 'Change password' }).click()
  await save() // opens the form
  await see(() => field('Old Password').evaluate((one) => one === document.activeElement)).toBe(true)
  await field('New Password').focus()
  await save()
  await part(page, 'Password').getByText('Please input old password', { exact: true }).waitFor()
  await see(() => field('Old Password').evaluate((one) => one === document.activeElement)).toBe(true)
  await field('Old Password').fill('not the old one')
  await field('New Password').fill('a much better one')
  await field('New Password Confirmation').fill('a much better one')
  await save()
  await errorToast(page).filter({ hasText: 'The old password is wrong' }).waitFor()
  await page.clock.pauseAt(Date.now() + 1000) // by itself it would go after ten seconds
  await field('Old Password').fill('')
  await save()
  await part(page, 'Password').getByText('Please input old password', { exact: true }).waitFor()
  // On a busy machine the page begins to take it away only after a while.
  for (let second = 0; second < 8 && (await errorToast(page).count()) > 0; second += 1) await page.clock.runFor(1000)
  expect(await errorToast(page).count()).toBe(0)
  await page.clock.resume()
  await field('Old Password').fill(password)
  await save()
  await page.getByText('Profile was updated successfully', { exact: true }).waitFor()
  await see(() => field('New Password').count()).toBe(0)
  const { body } = await app.guest.call(sessionContract.login, {
    body: { username: user.username, password: 'a much better one' },
  })
  expect(body).toHaveProperty('token')
})

test('a notification rule names its campaigns, an archived one too [TODAY-09]', async () => {
  const campaign = await app.make.campaign({ name: 'Closed Roofing', archived: true })
  const user = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
  const rule = { kind: '*', campaign_ids: [campaign.id], channel: 'mail', digest: 'daily', timezone: 'UTC' }
  expect((await user.call(watchesContract.save, { body: { watches: [rule] } })).status).toBe(200)
  const page = await visit(app, user, '/profile')
  await part(page, 'Notifications').getByText('Closed Roofing', { exact: true }).waitFor()
})

test('a notification rule that is added while a save is on the way stays, and is saved next [TODAY-09]', async () => {
  const user = await app.as(await app.make.admin())
  const page = await visit(app, user, '/profile')
  const button = (name: string) => part(page, 'Notifications').getByRole('button', { name, exact: true })
  const readAgain = () =>
    page.waitForResponse((response) => response.request().method() === 'GET' && /\/user\/watches$/.test(response.url()))
  const release = await holdFirstWrite(page, '**/api/user/watches')
  await button('Add rule').click()
  await button('Save').click()
  await button('Add rule').click()
  const read = readAgain()
  release()
  await (await read).finished()
  await button('Save').click()
  await see(async () => (await user.call(watchesContract.read)).body.watches).toHaveLength(2)
  await see(() => button('Save').isDisabled()).toBe(true)
  expect(await button('Remove rule 2').count()).toBe(1)
})

test('a link asks before it leaves an unsaved notification rule behind', async () => {
  const page = await visit(app, await app.as(await app.make.admin()), '/profile')
  await part(page, 'Notifications').getByRole('button', { name: 'Add rule' }).click()
  const rule = part(page, 'Notifications').getByRole('button', { name: 'Remove rule 1' })
  const campaigns = page.getByRole('link', { name: 'Campaigns', exact: true })
  const asked = confirmDialog(page, 'Leave this page? Your changes are not saved.')
  await campaigns.click()
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  expect([pathOf(page), await rule.count()]).toEqual(['/profile', 1])
  await campaigns.click()
  await asked.getByRole('button', { name: 'Leave' }).click()
  await see(() => pathOf(page)).toBe('/campaigns')
})

test('a session in another browser can be ended, the current one cannot [SIGN-06]', async () => {
  const user = await app.make.admin()
  const { body } = await app.guest.call(sessionContract.login, {
    body: { username: user.username, password },
    headers: { 'user-agent': 'Mozilla/5.0 (iPhone) Version/26.0 Safari/605' },
  })
  const page = await visit(app, await app.as(user), '/profile')
  const sessions = part(page, 'Sessions').getByRole('listitem')
  await see(() => sessions.count()).toBe(2)
  const phone = sessions.filter({ hasText: 'Safari on iPhone' })
  expect(await sessions.filter({ hasText: 'this session' }).getByRole('button').count()).toBe(0)
  const end = phone.getByRole('button', { name: 'End' })
  await page.setViewportSize({ width: 390, height: 844 })
  expect(
    await end
      .locator('span')
      .last()
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBe(0)
  await end.click()
  await see(() => sessions.count()).toBe(1)
  const answer = await app.guest.fetch('/api/user/me', { headers: { authorization: `Bearer ${body.token}` } })
  expect(answer.status).toBe(401)
})

test('the time format is chosen there, and every time on screens follows it [SIGN-06]', async () => {
  const user = await app.make.superAdmin()
  const { id } = await app.make.campaign()
  await app.make.lead({ campaign_id: id, lead_name: 'Early', occurred_at: new Date('2026-03-01T18:05:00Z') })
  const page = await visit(app, await app.as(user), '/profile')
  await part(page, 'Sessions')
    .getByText(/\d:\d\d, this/)
    .waitFor()
  const mark = await page.locator('[type=radio] + svg').first().boundingBox()
  expect(mark?.width, 'the mark fits its circle').toBeLessThan(16)
  const saved = page.waitForResponse('**/api/user/settings')
  await page.getByRole('radio', { name: '12 hours (03:04 PM)' }).click()
  await part(page, 'Sessions')
    .getByText(/\d:\d\d (AM|PM), this/)
    .waitFor()
  await saved // it shows before the server has it
  await page.goto(`${app.url}/leads?date_from=2026-01-01&date_to=2026-12-31`)
  await page.getByRole('row').filter({ hasText: 'Early' }).getByText('01:05 PM').waitFor()
})
