import { addDays, getToday } from '#contract/days.ts'
import { runTransaction } from '#core/db/db.ts'
import { JsonText } from '#core/http/json-text.ts'
import { implementContract } from '#domains/app-context.ts'
import { activityItemsContract } from '../contract.ts'
import { addActivityItems, removeActivityItem, updateActivityItem } from './mutations.ts'
import { readActivityItemJson, readActivityItemsJson } from './serializer.ts'

export const activityItemsHandlers = implementContract(activityItemsContract, {
  create: async ({ db, me, context, actor, body }) => {
    const yesterday = addDays(getToday(context.settings.AGENCY_TIMEZONE), -1)
    const json = await runTransaction(db, async (tx) =>
      readActivityItemsJson(tx, await addActivityItems(tx, { me, actor }, body, yesterday)),
    )
    return new JsonText(`{"data":${json}}`)
  },

  update: async ({ db, me, actor, params, body }) => {
    const json = await runTransaction(db, async (tx) => {
      await updateActivityItem(tx, { me, actor }, params.id, body)
      return readActivityItemJson(tx, params.id)
    })
    return new JsonText(json)
  },

  remove: async ({ db, me, actor, params }) => {
    await db.transaction((tx) => removeActivityItem(tx, { me, actor }, params.id))
  },
})
