import { eq } from 'drizzle-orm'
import { insertRows } from '#core/db/insert-rows.ts'
import { validationError } from '#core/http/errors.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { getGmbStatusName, gmbStatuses } from '#domains/listings/gmbs/labels.ts'
import { normalizeMapsLink } from '#domains/listings/gmbs/maps-link.ts'
import { gmbLogsTable, gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { addGmb, removeGmb } from '#domains/listings/gmbs/server/mutations.ts'
import { gmbAuditKind } from '#domains/listings/gmbs/server/store.ts'
import { verificationStatuses } from '#domains/listings/google/labels.ts'
import {
  type KindWriter,
  readFlag,
  readMoment,
  readNumber,
  readRecord,
  readRecords,
  readText,
} from '#domains/moves/public.ts'
import { createKeeper, findPersonChange, fitForm, joinKept } from './fit-form.ts'
import { describeNoCampaign } from './sites.ts'

export const movedListing: KindWriter = {
  write: async (tx, by, { payload }, lookup) => {
    const campaign_id = lookup.findCampaign(payload)
    if (campaign_id === null) throw validationError({ campaign_id: [describeNoCampaign(payload)] })
    const text = (name: string) => readText(payload, name) ?? undefined
    const { kept: lost, keep } = createKeeper(payload)
    const { form, kept } = fitForm(
      gmbsContract.create.body,
      {
        campaign_id,
        title: text('title'),
        link: normalizeMapsLink(text('link') ?? ''),
        status: keep('status', readStatus(payload), `is ${getGmbStatusName(unverified)}`) ?? unverified,
        ...{ address: text('address'), website: text('website'), phone: text('phone'), email: text('email') },
        ...{ recovery_email: text('recovery_email'), review_link: text('review_link'), notes: text('notes') },
        client_owned: readFlag(payload, 'client_owned'),
        is_client_location: readFlag(payload, 'is_client_location'),
      },
      ['campaign_id', 'title', 'link', 'status'],
    )
    const id = await addGmb(tx, by, form)
    const standing = verificationStatuses.find((one) => one === text('standing')) ?? null
    await tx
      .update(gmbsTable)
      .set({
        standing,
        suspended_at: readMoment(payload, 'suspended_at'),
        changed: readFlag(payload, 'changed'),
        changed_at: readMoment(payload, 'changed_at'),
        changed_fields: Array.isArray(payload.changed_fields)
          ? payload.changed_fields.filter((one) => typeof one === 'string')
          : [],
        checked_at: readMoment(payload, 'checked_at'),
        check_problem: readText(payload, 'check_problem'),
        missed_at: readMoment(payload, 'missed_at'),
        gone_at: readMoment(payload, 'gone_at'),
        reviews_count: readNumber(payload, 'reviews_count'),
        ...readPlace(payload),
        updated_at: readMoment(payload, 'updated_at') ?? undefined,
      })
      .where(eq(gmbsTable.id, id))
    const logs = readRecords(payload, 'logs')
      .flatMap((log) => {
        const [created_at, changed] = [readMoment(log, 'created_at'), readText(log, 'changed')]
        if (created_at === null || changed === null) return []
        return {
          gmb_id: id,
          created_at,
          changed,
          old: readText(log, 'old'),
          new: readText(log, 'new'),
          username: readText(log, 'username'),
        }
      })
      .reverse()
    await tx.delete(gmbLogsTable).where(eq(gmbLogsTable.gmb_id, id)) // what the old system has is its log
    if (logs.length > 0) await insertRows(tx, gmbLogsTable, logs, { id: gmbLogsTable.id })
    return { id, kept: joinKept(kept, ...lost) }
  },

  remove: async (tx, by, id) => {
    const [listing] = await tx.select().from(gmbsTable).where(eq(gmbsTable.id, id)).for('update')
    if (!listing || listing.deleted_at) return null
    const changed = await findPersonChange(tx, gmbAuditKind, id)
    if (changed) return changed
    await removeGmb(tx, by, id)
    // Not only hidden: its campaign is about to go.
    await tx.delete(gmbLogsTable).where(eq(gmbLogsTable.gmb_id, id))
    await tx.delete(gmbsTable).where(eq(gmbsTable.id, id))
    return null
  },
}

const unverified = 3

/** The number of a status, or its name. */
function readStatus(row: Record<string, unknown>): number | null {
  const name = readText(row, 'status')?.trim().toLowerCase()
  return readNumber(row, 'status') ?? gmbStatuses.find((one) => one.name.toLowerCase() === name)?.id ?? null
}

/** Where the old map shows it; without that its ZIP code decides. */
function readPlace(row: Record<string, unknown>): { latitude?: number; longitude?: number } {
  const place = readRecord(row, 'place') ?? {}
  const [latitude, longitude] = [readNumber(place, 'latitude'), readNumber(place, 'longitude')]
  const isOnEarth = latitude !== null && longitude !== null && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  return isOnEarth ? { latitude, longitude } : {}
}
