import { expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { makeMailedLead } from '#test/mailed-lead.ts'

const app = await setUp(startApp({ settings: { TRUSTED_PROXIES: '127.0.0.1' } }))
const superAdmin = await app.as(await app.make.superAdmin())

const justSent = { sentSecondsAgo: 5 }
/** Creates a mailed lead, and another one in its campaign that staff rated 2. */
async function makeRatedCampaign(values: Parameters<typeof makeMailedLead>[1] = {}) {
  const campaign_id = (await app.make.campaign()).id
  await app.make.lead({ campaign_id, rating: 2, rating_via: 'staff' })
  const lead = await makeMailedLead(app, { campaign_id, ...values }, justSent)
  const query = { campaign_ids: campaign_id }
  return {
    lead,
    badges: async () => (await superAdmin.call(leadsContract.statistic, { query })).body,
    found: async (filter: object): Promise<number[]> => {
      const { body } = await superAdmin.call(leadsContract.list, { query: { ...query, ...filter } })
      expect(body.meta.total).toBe(body.data.length)
      return body.data.map(({ id }: { id: number }) => id)
    },
    shown: async () => {
      const { body } = await superAdmin.call(leadsContract.list, { query })
      return body.data.find(({ id }: { id: number }) => id === lead.id)
    },
  }
}

test('a single star opened within a minute of the mail is shown, but counts nowhere until the page is seen [RATE-15, RATE-16]', async () => {
  const { lead, badges, found, shown } = await makeRatedCampaign()
  await lead.star('5')
  expect(await shown()).toMatchObject({ rating: '5', rating_via: 'link', rating_unconfirmed: 1 })
  expect((await lead.get()).body.rating).toBe('5')
  expect(await badges()).toMatchObject({ averageRating: 2, notRatedCount: 1 })
  expect(await found({ rating_via: 'unconfirmed' })).toEqual([lead.id])
  expect(await found({ rating_via: 'link' })).toEqual([lead.id])
  expect(await found({ rating: 1 })).not.toContain(lead.id)
  expect(await found({ sort: 'rating', order: 'asc' })).toHaveLength(2)
  expect((await found({ sort: 'rating', order: 'asc' }))[1]).toBe(lead.id)

  await lead.see('5')
  expect(await shown()).toMatchObject({ rating: '5', rating_via: 'link', rating_unconfirmed: 0 })
  expect(await badges()).toMatchObject({ averageRating: 3.5, notRatedCount: 0 })
  expect(await found({ rating_via: 'unconfirmed' })).toEqual([])
  const trail = await lead.trail()
  expect(trail.map(({ after }) => after)).toEqual([
    { rating: '5', rating_via: 'link', rating_unconfirmed: 1, via: 'link' },
    { rating_unconfirmed: 0, via: 'link, seen' },
  ])
})

test('an existing star still counts while a link shows another one, and is shown again after a burst [RATE-16]', async () => {
  const { lead, badges, shown } = await makeRatedCampaign({ rating: 4, rating_via: 'page' })
  await lead.star('1')
  expect(await shown()).toMatchObject({ rating: '1', rating_via: 'link', rating_unconfirmed: 1 })
  expect((await badges()).averageRating).toBe(3)
  await lead.star('2')
  await lead.star('3') // a scanner
  expect(await shown()).toMatchObject({ rating: '4', rating_via: 'page', rating_unconfirmed: 0 })
  await lead.see('1')
  expect(await shown()).toMatchObject({ rating: '4', rating_via: 'page' })
})

test('a star whose page was seen stays, whatever links are opened after it [EDGE-14]', async () => {
  const { lead } = await makeRatedCampaign()
  await lead.star('3')
  await lead.wait(20)
  await lead.star('5')
  await lead.see('5')
  expect(await lead.row()).toMatchObject({ rating: 5, rating_via: 'link', unconfirmed_rating: null })
  await lead.star('1')
  expect(await lead.row()).toMatchObject({ rating: 5, rating_via: 'link', unconfirmed_rating: 1 })
})

test('seeing the page with another star confirms nothing; a later click on a star, a save and staff do [RATE-16]', async () => {
  const { lead } = await makeRatedCampaign()
  await lead.star('5')
  await lead.see('4')
  expect(await lead.row()).toMatchObject({ rating: null, unconfirmed_rating: 5 })
  await lead.wait(61)
  await lead.star('5')
  expect(await lead.row()).toMatchObject({ rating: 5, rating_via: 'link', unconfirmed_rating: null })

  const saved = (await makeRatedCampaign()).lead
  await saved.star('5')
  await saved.save({ rating: '5', progress: 1 })
  expect(await saved.row()).toMatchObject({ rating: 5, rating_via: 'page', unconfirmed_rating: null })

  const judged = await makeRatedCampaign()
  await judged.lead.star('5')
  await superAdmin.call(leadsContract.update, { params: { id: judged.lead.id }, body: { rating: '3' } })
  expect(await judged.shown()).toMatchObject({ rating: '3', rating_via: 'staff', rating_unconfirmed: 0 })
})

test('ratings stored before this rule count, and so does a link opened a minute after its mail', async () => {
  const { lead, badges } = await makeRatedCampaign({ rating: 4, rating_via: 'link' })
  expect((await badges()).averageRating).toBe(3)
  await lead.wait(56)
  await lead.star('5')
  expect((await badges()).averageRating).toBe(3.5)
})
