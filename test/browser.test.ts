import { expect, test } from 'vitest'
import { browser } from './browser.ts'

test('the suite has its own browser, installed or from npm [RUN-04]', async () => {
  const context = await (await browser()).newContext()
  const page = await context.newPage()
  await page.setContent('<button onclick="this.textContent = `Saved`">Save</button>')
  await page.getByRole('button', { name: 'Save' }).click()
  expect(await page.getByRole('button').textContent()).toBe('Saved')
  await context.close()
})
