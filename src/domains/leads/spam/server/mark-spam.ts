import { runTransaction, type Tx } from '#core/db/db.ts'
import { forbiddenError, notFoundError } from '#core/http/errors.ts'
import { JsonText } from '#core/http/json-text.ts'
import { type EndpointCall, implementContract } from '#domains/app-context.ts'
import { type StoredLead, toLeadDto } from '#domains/leads/model/dto.ts'
import { readLeadJson } from '#domains/leads/model/serializer.ts'
import { type LockedLead, lockLead, updateLead } from '#domains/leads/model/store.ts'
import { canSeeLead } from '#domains/leads/model/visibility.ts'
import { canManageSpam } from '../allow.ts'
import { leadSpamContract } from '../contract.ts'
import { listMarkedTags, markAsSpam, revertSpamMark } from './spam-mark.ts'

export const leadSpamHandlers = implementContract(leadSpamContract, {
  mark: (call) => {
    if (call.body.spammer && !canManageSpam(call.me)) throw forbiddenError()
    return changeLead(call, (tx, { row }) => markAsSpam(tx, call.actor, row, { blockSender: call.body.spammer }))
  },

  unmark: (call) =>
    changeLead(call, async (tx, { row }) => {
      const mark = row.spam_mark
      if (!mark) return null
      await revertSpamMark(tx, call.context, call.actor, row, mark)
      return {
        tags: row.tags.filter((tag) => !listMarkedTags(mark).includes(tag)),
        hide: mark.hid ? false : row.hide,
        spam_mark: null,
      }
    }),
})

type LeadCall = Pick<EndpointCall<typeof leadSpamContract.unmark>, 'db' | 'me' | 'context' | 'actor' | 'params'>

/** Changes a lead that the caller may see, in one transaction, and returns it; nothing is written for null. */
function changeLead(
  { db, me, context, actor, params }: LeadCall,
  change: (tx: Tx, lead: LockedLead) => Promise<Partial<StoredLead> | null>,
): Promise<JsonText> {
  const zone = context.settings.AGENCY_TIMEZONE
  return runTransaction(db, async (tx) => {
    const lead = await lockLead(tx, params.id)
    if (!lead || !canSeeLead(me, lead.row)) throw notFoundError()
    const set = await change(tx, lead)
    if (set) {
      const [before, after] = [toLeadDto(lead.row, zone), toLeadDto({ ...lead.row, ...set }, zone)]
      await updateLead(tx, lead, { actor, zone, set, before, after })
    }
    return new JsonText(await readLeadJson(tx, { me, zone }, lead.row))
  })
}
