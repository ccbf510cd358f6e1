import { validationError } from '#core/http/errors.ts'
import { JsonText } from '#core/http/json-text.ts'
import { type EndpointCall, implementContract } from '#domains/app-context.ts'
import { followClientProgress } from '#domains/billing/public.ts'
import { type LeadFilters, type LeadListQuery, leadsContract } from '#domains/leads/contract.ts'
import { enqueueMail } from '#domains/leads/mail/server/enqueue.ts'
import { assertWritableFields, editLead, type LeadEditRequest } from '#domains/leads/model/edit-lead.ts'
import { buildLeadMatch } from '#domains/leads/model/filter.ts'
import { toLeadReader } from '#domains/leads/model/serializer.ts'
import type { LeadQueue } from '#domains/leads/queues.ts'
import { streamLeadEvents } from './lead-stream.ts'
import { countMatches, readLeadsPage } from './queries.ts'
import { readLeadStatistic } from './statistic.ts'

export const leadsHandlers = implementContract(leadsContract, {
  list: (call) => answerLeadsPage(call, false),
  archived: (call) => answerLeadsPage(call, true),
  statistic: (call) => answerStatistic(call, false),
  archivedStatistic: (call) => answerStatistic(call, true),
  queues: async ({ db, me, query, context }) => {
    const { zone } = toLeadReader({ me, context })
    const count = (queue: LeadQueue | undefined) =>
      countMatches(db, zone, buildLeadMatch(me, { ...query, queue }, { archived: false, zone }))
    const [review, missed, all] = await Promise.all([count('review'), count('missed'), count(undefined)])
    return { review, missed, all }
  },

  update: (call) => {
    const { id, version, ...wanted } = call.body
    const mailNewClient: LeadEditRequest['moved'] = async (tx, { id: leadId, hide }) => {
      if (!hide) await enqueueMail(tx, call.context, { leadId, kind: 'notification', requestedBy: null })
    }
    return answerLeadUpdate(call, {
      ...(wanted.notify && { moved: mailNewClient }),
      wanted,
      seen: version,
      check: () => {
        assertWritableFields(call.me, Object.keys(wanted))
        if (id !== undefined && id !== call.params.id) throw validationError({ id: ['This is the id of another lead'] })
      },
    })
  },
  resetProgress: (call) => answerLeadUpdate(call, { wanted: { client_progress: null } }),
  archive: (call) => answerLeadUpdate(call, { wanted: { archived: 1 } }),
  unarchive: (call) => answerLeadUpdate(call, { wanted: { archived: 0 } }),

  events: streamLeadEvents,
})

type LeadsCall<Query> = Pick<EndpointCall<typeof leadsContract.list>, 'db' | 'me' | 'context'> & { query: Query }

async function answerLeadsPage(call: LeadsCall<LeadListQuery>, archived: boolean) {
  const reader = toLeadReader(call)
  const which = buildLeadMatch(call.me, call.query, { archived, zone: reader.zone })
  return new JsonText(await readLeadsPage(call.db, reader, which, call.query))
}

async function answerStatistic(call: LeadsCall<LeadFilters>, archived: boolean) {
  const reader = toLeadReader(call)
  const which = buildLeadMatch(call.me, call.query, { archived, zone: reader.zone })
  return new JsonText(await readLeadStatistic(call.db, reader, which))
}

type UpdateLeadCall = Pick<EndpointCall<typeof leadsContract.archive>, 'db' | 'me' | 'context' | 'actor' | 'params'>

async function answerLeadUpdate(call: UpdateLeadCall, edit: Omit<LeadEditRequest, 'id' | 'context'>) {
  const { db, me, context, actor, params } = call
  const reader = toLeadReader(call)
  const saysProgress = me.role === 'customer' && edit.wanted.client_progress !== undefined
  const edited: LeadEditRequest['edited'] = (tx, before, after) =>
    followClientProgress(tx, { before, after, via: 'portal', actor, zone: reader.zone })
  return new JsonText(
    await editLead(db, reader, actor, { id: params.id, context, ...edit, ...(saysProgress && { edited }) }),
  )
}
