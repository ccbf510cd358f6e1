import { expect, test } from 'vitest'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { getReadableFields, leadsContract } from '../contract.ts'
import { leadHistoryContract } from '../history/contract.ts'
import { relatedLeadsContract } from '../related/contract.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())
const campaign = await app.make.campaign()

const everywhere = ['leads', 'archivedleads'] as const
const people = {
  'a customer': () => app.make.customer({ client_id: campaign.client_id }),
  'a handler': () => app.make.handler({ campaigns: [campaign.id], permissions: [...everywhere] }),
  'a handler with the tags': () =>
    app.make.handler({ campaigns: [campaign.id], permissions: [...everywhere, 'show_lead_http_columns'] }),
  'an admin': () => app.make.admin({ campaigns: [campaign.id], permissions: [...everywhere] }),
  'an admin with all columns': () => app.make.admin({ campaigns: [campaign.id] }),
}

test.each(Object.keys(people) as (keyof typeof people)[])(
  '%s reads the same fields of a lead in every response [PERM-10]',
  async (name) => {
    const user = await people[name]()
    const who = await app.as(user)
    const { body: me } = await who.call(sessionContract.me)
    const allowed = [...getReadableFields(me)].sort()
    const { id } = await app.make.lead({ campaign_id: campaign.id, tags: ['Missed Call'] })
    const at = { params: { id } }
    const change = (body: object, caller = who) => caller.call(leadsContract.update, { ...at, body })
    const listed = (await who.call(leadsContract.list)).body.data.find((lead: { id: number }) => lead.id === id)
    const changed = await change({ company_name: 'Acme' })
    await change({ company_name: 'Theirs' }, root)
    const outrun = await change({ company_name: 'Mine', version: changed.body.version })
    expect(outrun.status).toBe(409)
    const answers: Record<string, object> = {
      list: listed,
      related: (await who.call(relatedLeadsContract.ofLead, at)).body.lead,
      'a change': changed.body,
      'a conflict': outrun.body.lead,
      'a reset': (await who.call(leadsContract.resetProgress, at)).body,
    }
    if (!me.isAdmin) {
      answers.archiving = (await who.call(leadsContract.archive, at)).body
      answers.unarchiving = (await who.call(leadsContract.unarchive, at)).body
    } else {
      const { changes } = (await who.call(leadHistoryContract.read, at)).body
      const { audit_id } = changes.find(
        (entry: { fields: { field: string }[] }) => entry.fields[0]?.field === 'company_name',
      )
      answers['putting back'] = (
        await who.call(leadHistoryContract.restore, { ...at, body: { audit_id, field: 'company_name' } })
      ).body
    }
    for (const [where, answer] of Object.entries(answers)) expect(Object.keys(answer).sort(), where).toEqual(allowed)
  },
)
