import { today } from '#contract/days.ts'
import { record } from '#core/audit/write-audit.ts'
import { byteOrderMark, csvLines } from '#core/csv/csv.ts'
import { report } from '#core/db/replica-query.ts'
import { type Call, implement } from '#core/http/handle.ts'
import { leadTable as contract } from '../contract.ts'
import { tableLines } from './csv-lines.ts'
import { countedByWeek } from './queries.ts'

export const leadTableCalls = implement(contract, {
  // Read where it is written: whoever has just changed a status or a switch looks for it here.
  read: ({ db, me, house, query }) => countedByWeek(db, askingOf({ me, house }), query),

  csv: async ({ db, me, house, body, actor, reply }) => {
    const table = await report(house, (there) => countedByWeek(there, askingOf({ me, house }), body))
    const after = { of: 'lead table', rows: table.campaigns.length }
    await db.transaction((tx) => record(tx, actor, { kind: 'export', rowId: me.id, before: null, after }))
    reply
      .headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${contract.csv.file}"`,
      })
      .send(byteOrderMark + csvLines(tableLines(me, table)))
    return undefined
  },
})

const askingOf = ({ me, house }: Pick<Call<typeof contract.read>, 'me' | 'house'>) => {
  const zone = house.settings.AGENCY_TIMEZONE
  return { me, zone, today: today(zone) }
}
