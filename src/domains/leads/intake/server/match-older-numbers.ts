import { sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { lockKeys } from '#domains/leads/model/lock-keys.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { findCompanyOrigins } from '#domains/leads/model/provider-ids.ts'
import type { ParsedEvent } from './parsed-event.ts'

/** Older hooks of CallRail have a number only, its lists CAL… and FRM…. */
const isNumber = (id: string) => /^\d+$/.test(id)

/**
 * Gives an event the id of its lead where CallRail has two: a number in an older hook, another id in its lists. The same call or form has the
 * same company, the same caller or sender, and the same second.
 */
export async function matchOlderNumbers(tx: Tx, parsed: ParsedEvent[]): Promise<ParsedEvent[]> {
  const suspects = parsed.flatMap((one) => {
    const isSuspect =
      one.lead_s === 'Callrail' && !one.isText && (isNumber(one.lead_id) || one.event.reconciled_as !== null)
    const sender = toSender(one)
    return isSuspect && sender !== null ? [{ one, sender }] : []
  })
  if (suspects.length === 0) return parsed
  await lockKeys(
    tx,
    suspects.map(({ sender }) => sender.key),
  )
  const ids = await findOtherIds(tx, suspects)
  // Two events of one call may come together: then the first of its ids is for both.
  for (const same of Map.groupBy(suspects, ({ sender }) => sender.key).values()) {
    const first = same.find(({ one }) => !isNumber(one.lead_id))
    for (const { one } of same)
      if (first && isNumber(one.lead_id) && !ids.has(one.event.id)) ids.set(one.event.id, first.one.lead_id)
  }
  return parsed.map((one) => ({ ...one, lead_id: ids.get(one.event.id) ?? one.lead_id }))
}

type Sender = { phone: string | null; email: string | null; second: string; key: string }

function toSender({ incoming, origin, companies = [] }: ParsedEvent): Sender | null {
  const phone = toPhoneKey(incoming.lead_phone)
  const email = incoming.lead_email?.toLowerCase() ?? null
  if (phone === null && email === null) return null
  const second = new Date(Math.floor(incoming.occurred_at.getTime() / 1000) * 1000).toISOString()
  return { phone, email, second, key: `callrail ${companies[0] ?? origin} ${phone ?? email} ${second}` }
}

/** Returns the ids of leads that have the other kind of id, by event. */
async function findOtherIds(tx: Tx, suspects: { one: ParsedEvent; sender: Sender }[]): Promise<Map<number, string>> {
  const origins = await findCompanyOrigins(
    tx,
    suspects.flatMap(({ one }) => one.company?.id ?? []),
  )
  const listed = suspects.map(({ one, sender }) => ({
    ...{ event: one.event.id, phone: sender.phone, email: sender.email, second: sender.second },
    ...{ is_number: isNumber(one.lead_id), type: one.incoming.lead_type },
    origins: [one.origin, ...(origins.get(one.company?.id ?? '') ?? []), ''],
  }))
  const isSame = sql`lead.lead_s = 'Callrail' and lead.lead_type = listed.type and lead.origin = any(listed.origins)
    and (lead.lead_id ~ '^[0-9]+$') <> listed.is_number and (listed.is_number or lead.lead_id ~ '^[0-9]+$')
    and date_trunc('second', lead.occurred_at) = listed.second`
  const { rows } = await tx.execute<{ event: number; lead_id: string }>(sql`
    with listed as materialized (
      select * from json_to_recordset(${JSON.stringify(listed)}) one
        (event bigint, phone text, email text, second timestamptz, is_number boolean, type text, origins text[])
    )
    select listed.event, lead.lead_id from listed join leads lead on lead.phone_key = listed.phone and ${isSame}
    union
    select listed.event, lead.lead_id from listed join leads lead on lead.email_key = listed.email and ${isSame}`)
  return new Map(rows.map(({ event, lead_id }) => [Number(event), lead_id]))
}
