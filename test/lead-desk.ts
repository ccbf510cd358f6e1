import type { Page } from 'playwright-core'
import type { App, Caller } from '#test/app.ts'
import { visit } from '#test/visit.ts'

export type NewLead = Parameters<App['make']['lead']>[0]

/** Creates leads in a new campaign, newest first, and opens the list that shows them. */
export async function openLeadDesk(app: App, who: Caller, given: NewLead[], options?: Parameters<typeof visit>[3]) {
  const client = await app.make.client({ timezone: 'America/Denver' })
  const campaign = await app.make.campaign({ client_id: client.id, name: 'North Roofing' })
  const made = await app.make.eachLead(
    given.map((values, index) => ({
      occurred_at: new Date(Date.now() - index * 60_000),
      ...values,
      campaign_id: campaign.id,
    })),
  )
  const page = await visit(app, who, `/leads?campaign_ids=${campaign.id}`, options)
  await page.locator('[data-index]').first().waitFor()
  return { page, made, campaign }
}

/** Returns the row or the card that has this text. */
export const row = (page: Page, name: string) => page.locator('[data-index]', { hasText: name })
export const paneOf = (page: Page, name: string) => page.getByRole('complementary', { name: `Lead ${name}` })
/** Excludes the side menu, which has the same role. */
export const panes = (page: Page) => page.getByRole('complementary', { name: /^Lead / })
export const opened = (page: Page) => new URL(page.url()).searchParams.get('lead')
/** Clicks the cell of a row that has nothing to press: its type, or beside an open lead its line. */
export const choose = (page: Page, name: string) =>
  row(page, name).locator('td:nth-child(4), td:nth-child(2):last-child').click()

export const ann = { lead_name: 'Ann', lead_type: 'Form', message: 'The roof leaks' } as const
export const bob = { lead_name: 'Bob', lead_type: 'Form' } as const
export const cat = { lead_name: 'Cat', lead_type: 'Form' } as const
