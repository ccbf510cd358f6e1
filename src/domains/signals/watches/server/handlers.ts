import { getToday } from '#contract/days.ts'
import { implementContract } from '#domains/app-context.ts'
import { watchesContract } from '../contract.ts'
import { readDigestNow } from './digest-now.ts'
import { queueDraft } from './send-messages.ts'
import { readWatches, type StoredWatches, saveWatches } from './watches.ts'

const toAnswer = ({ digest_day: _day, ...answer }: StoredWatches) => answer

export const watchesHandlers = implementContract(watchesContract, {
  read: async ({ db, me, context }) => toAnswer(await readWatches(db, context, me.id)),

  save: ({ db, body, context, ...by }) =>
    db.transaction(async (tx) => {
      await saveWatches(tx, context, by, body)
      return toAnswer(await readWatches(tx, context, by.me.id))
    }),

  test: ({ db, me, context }) =>
    db.transaction(async (tx) => {
      const watches = await readWatches(tx, context, me.id)
      const drafts = await readDigestNow(tx, context, { me, watches }, getToday(context.settings.AGENCY_TIMEZONE))
      const sent = []
      for (const { channel, draft } of drafts) sent.push(await queueDraft(tx, context, { me, watches }, channel, draft))
      return { sent }
    }),
})
