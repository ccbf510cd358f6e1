import { invalid } from '#core/http/errors.ts'
import { type Call, implement, JsonText } from '#core/http/handle.ts'
import { leads as contract, type LeadFilters, type LeadListQuery } from '#domains/leads/contract.ts'
import type { Wanted } from '#domains/leads/model/dto.ts'
import { matching } from '#domains/leads/model/filter.ts'
import { changeLead, checkFields } from '#domains/leads/model/update-lead.ts'
import { followLeads } from './lead-stream.ts'
import { leadsPage } from './queries.ts'
import { statistic } from './statistic.ts'

export const leadsCalls = implement(contract, {
  list: (call) => page(call, false),
  archived: (call) => page(call, true),
  statistic: (call) => badges(call, false),
  archivedStatistic: (call) => badges(call, true),

  update: (call) => {
    const { id, version, ...wanted } = call.body
    return change(call, {
      wanted,
      seen: version,
      check: () => {
        checkFields(call.me, Object.keys(wanted))
        if (id !== undefined && id !== call.params.id) throw invalid({ id: ['This is the id of another lead'] })
      },
    })
  },
  resetProgress: (call) => change(call, { wanted: { client_progress: null } }),
  archive: (call) => change(call, { wanted: { archived: 1 } }),
  unarchive: (call) => change(call, { wanted: { archived: 0 } }),

  events: followLeads,
})

type Asked<Query> = Pick<Call<typeof contract.list>, 'db' | 'me' | 'house'> & { query: Query }

const readerOf = ({ me, house }: Pick<Asked<unknown>, 'me' | 'house'>) => ({ me, zone: house.settings.AGENCY_TIMEZONE })

async function page(call: Asked<LeadListQuery>, archived: boolean) {
  const reader = readerOf(call)
  const which = matching(call.me, call.query, { archived, zone: reader.zone })
  return new JsonText(await leadsPage(call.db, reader, which, call.query))
}

async function badges(call: Asked<LeadFilters>, archived: boolean) {
  const which = matching(call.me, call.query, { archived, zone: readerOf(call).zone })
  return new JsonText(await statistic(call.db, call.me, which))
}

type Changing = Pick<Call<typeof contract.archive>, 'db' | 'me' | 'house' | 'actor' | 'params'>

async function change(call: Changing, asked: { wanted: Wanted; seen?: number | undefined; check?: () => void }) {
  const { db, actor, params } = call
  return new JsonText(await changeLead(db, readerOf(call), actor, { id: params.id, ...asked }))
}
