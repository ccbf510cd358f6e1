import { addDays, getToday } from '#contract/days.ts'
import type { Tx } from '#core/db/db.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { statementLinesTable, statementsTable } from '#domains/billing/statements/schema.ts'
import { readCampaignCycles, readLedgers } from '#domains/billing/statements/server/read-ledgers.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { insertRows } from './insert-rows.ts'

/** The office sends statements this many days after their cycle has ended. */
const officeDays = 4

/** Sends the statements that an agency would have sent by now, each on its day. */
export async function sendEndedStatements(tx: Tx, zone: string, now: Date, sent_by: number): Promise<void> {
  const lastDay = addDays(getToday(zone, now), -officeDays)
  const found = await readCampaignCycles(tx, await tx.select().from(campaignsTable), zone)
  const ended = found.map((one) => ({
    ...one,
    wanted: new Set(one.cycles.filter(({ to }) => to <= lastDay).map(({ from }) => from)),
  }))
  const statements = await readLedgers(tx, ended, zone)
  await insertRows(
    tx,
    statementsTable,
    statements.map(({ campaign, from, to, terms }) => ({
      ...{ campaign_id: campaign.id, from_day: from, to_day: to, terms, sent_by },
      sent_at: startOfZonedDay(addDays(to, officeDays), zone),
    })),
  )
  await insertRows(
    tx,
    statementLinesTable,
    statements.flatMap(({ campaign, from, lines }) =>
      lines.map(({ kind, lead_id, cents, standing, because, refers_to }, position) => ({
        ...{ campaign_id: campaign.id, from_day: from, position, kind, lead_id, cents, standing, because, refers_to },
      })),
    ),
  )
}
