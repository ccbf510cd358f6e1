import { describe, expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { leadReadersContract } from '../contract.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin({ username: 'aaa-root' }))
const campaign = await app.make.campaign()
const lead = await app.make.lead({ campaign_id: campaign.id })

describe('who reads a lead', () => {
  test('is everyone whose own call finds it, with the reason, by name and by page [SIGN-05]', async () => {
    const { make } = app
    const place = await make.campaign()
    const [shown, kept] = [
      await make.lead({ campaign_id: place.id }),
      await make.lead({ campaign_id: place.id, hide: true }),
    ]
    await make.admin({ username: 'reader-b', campaigns: [place.id], permissions: ['archivedleads'] })
    await make.admin({ username: 'reader-x', campaigns: [place.id], permissions: ['campaigns'] })
    await make.admin({ username: 'reader-y', campaigns: [], permissions: ['leads'] })
    await make.admin({ username: 'reader-z', campaigns: [place.id], permissions: ['leads'], is_active: false })
    await make.handler({ username: 'reader-c', campaigns: [place.id], permissions: ['leads'] })
    await make.customer({ username: 'reader-d', client_id: place.client_id! })
    const list = async (id: number, query = {}) =>
      (await root.call(leadReadersContract.list, { params: { id }, query })).body
    const names = async (id: number) =>
      (await list(id)).data
        .map(({ username }: { username: string }) => username)
        .filter((name: string) => /^reader|aaa-root/.test(name))
    expect(await names(shown.id)).toEqual(['aaa-root', 'reader-b', 'reader-c', 'reader-d'])
    expect(await names(kept.id)).toEqual(['aaa-root', 'reader-b'])
    expect(await names((await make.lead({ campaign_id: null })).id)).toEqual(['aaa-root'])

    const { data, total } = await list(shown.id)
    expect(total).toBe(data.length)
    expect(data.find(({ username }: { username: string }) => username === 'reader-b')).toMatchObject({
      role: 'admin',
      because: 'The campaign is ticked for them, and the page Leads Archive',
    })
    expect((await list(shown.id, { per_page: 1, page: 2 })).data).toEqual([data[1]])
  })

  test('is shown to admins with Admin Access who see the lead [SIGN-05]', async () => {
    const { make } = app
    const status = async (permissions: ['admin_pages' | 'leads'], campaigns: number[]) => {
      const who = await app.as(await make.admin({ permissions, campaigns }))
      return (await who.call(leadReadersContract.list, { params: { id: lead.id } })).status
    }
    expect(await status(['admin_pages'], [campaign.id])).toBe(200)
    expect(await status(['admin_pages'], [])).toBe(404)
    expect(await status(['leads'], [campaign.id])).toBe(403)
  })
})
