import { addDays, today } from '#contract/days.ts'
import { transaction } from '#core/db/db.ts'
import { implement, JsonText } from '#core/http/handle.ts'
import { activityItems as contract } from '../contract.ts'
import { changeItem, removeItem, writeItems } from './mutations.ts'
import { itemJson, itemsJson } from './serializer.ts'

export const activityItemsCalls = implement(contract, {
  create: async ({ db, me, house, actor, body }) => {
    const yesterday = addDays(today(house.settings.AGENCY_TIMEZONE), -1)
    const json = await transaction(db, async (tx) =>
      itemsJson(tx, await writeItems(tx, { me, actor }, body, yesterday)),
    )
    return new JsonText(`{"data":${json}}`)
  },

  update: async ({ db, me, actor, params, body }) => {
    const json = await transaction(db, async (tx) => {
      await changeItem(tx, { me, actor }, params.id, body)
      return itemJson(tx, params.id)
    })
    return new JsonText(json)
  },

  remove: async ({ db, me, actor, params }) => {
    await db.transaction((tx) => removeItem(tx, { me, actor }, params.id))
    return undefined
  },
})
