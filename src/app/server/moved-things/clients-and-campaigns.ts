import { eq } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { isObject } from '#contract/is-object.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { validationError } from '#core/http/errors.ts'
import { notArrivedHash } from '#core/secrets/passwords.ts'
import { userCampaignsTable, usersTable } from '#domains/access/schema.ts'
import { campaignAreasContract } from '#domains/campaigns/area/contract.ts'
import { campaignAreasTable } from '#domains/campaigns/area/schema.ts'
import { campaignFormSchema } from '#domains/campaigns/contract.ts'
import { troubleStates } from '#domains/campaigns/labels.ts'
import { scheduleSchema } from '#domains/campaigns/schedule.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { createCampaign } from '#domains/campaigns/server/mutations.ts'
import { clientFormSchema } from '#domains/clients/contract.ts'
import { timezoneField } from '#domains/clients/fields.ts'
import { clientAuditKind, createClient, removeClient } from '#domains/clients/server/mutations.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { moveLead } from '#domains/leads/public.ts'
import {
  type KindWriter,
  type MoveCaller,
  type MoveLookup,
  readDay,
  readFlag,
  readNumber,
  readRecord,
  readRecords,
  readReference,
  readText,
} from '#domains/moves/public.ts'
import { importedRowReferences } from '../imported-rows.ts'
import { createKeeper, findPersonChange, fitForm, joinKept } from './fit-form.ts'

type Row = Record<string, unknown>
type Keep = ReturnType<typeof createKeeper>['keep']

/** Returns what refers to a row, in the words of the import's undo; tables that are named do not count. */
async function findReference(
  tx: Tx,
  kind: 'clients' | 'campaigns',
  id: number,
  ignored: readonly PgTable[] = [],
): Promise<string | null> {
  for (const { column, reason } of importedRowReferences[kind]) {
    if (ignored.includes(column.table)) continue
    if ((await tx.$count(column.table, eq(column, id))) > 0)
      return `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`
  }
  return null
}

// ——— clients ———

const movedClientSchema = clientFormSchema.omit({ password: true })

export const movedClient: KindWriter = {
  write: async (tx, { actor }, { payload }) => {
    const user = readRecord(payload, 'user') ?? payload
    const [username, email] = [readText(user, 'username'), readText(user, 'email') ?? readText(payload, 'email')]
    if (username === null || email === null) throw validationError({ user: ['No login account'] })
    const { form, kept } = fitForm(
      movedClientSchema,
      {
        name: readText(payload, 'name') ?? undefined,
        user: { username, email },
        timezone: readText(payload, 'timezone') ?? undefined,
        emails: readLines(payload, 'emails'),
        billing_emails: readLines(payload, 'billing_emails'),
        phone: readText(payload, 'phone') ?? undefined,
        notes: readText(payload, 'notes') ?? undefined,
        disable_notifications: readFlag(payload, 'disable_notifications') ? 1 : 0,
      },
      ['name', 'user'],
    )
    const id = await createClient(tx, actor, { ...form, password_hash: notArrivedHash })
    // Whether the account is switched on is part of what it was.
    if ('is_active' in user && !readFlag(user, 'is_active'))
      await tx.update(usersTable).set({ is_active: false }).where(eq(usersTable.client_id, id))
    return { id, kept }
  },

  remove: async (tx, by, id) => {
    const changed = await findPersonChange(tx, clientAuditKind, id)
    if (changed) return changed
    const accounts = await tx.select().from(usersTable).where(eq(usersTable.client_id, id))
    for (const account of accounts) {
      if (account.password_hash !== notArrivedHash) return 'has accepted the invitation'
      const accountChanged = await findPersonChange(tx, 'user', account.id)
      if (accountChanged) return accountChanged
    }
    const used = await findReference(tx, 'clients', id)
    if (used) return used
    await removeClient(tx, by, id)
    return null
  },
}

/** Lines of a text, or a list of texts. */
const readLines = (row: Row, name: string): string | undefined => {
  const value = row[name]
  return Array.isArray(value)
    ? value.filter((one) => typeof one === 'string').join('\n')
    : (readText(row, name) ?? undefined)
}

// ——— campaigns ———

const mostNoteCharacters = 100_000

export const movedCampaign: KindWriter = {
  write: async (tx, by, { payload }, lookup) => {
    const client_id = lookup.find('client', readReference(payload, 'client'))
    if (client_id === null) throw validationError({ client_id: ['The client was not moved'] })
    const { kept: lostNumbers, keep } = createKeeper(payload)
    const start_date = keep('start_date', readDay(payload, 'start_date'))
    const { form, kept } = fitForm(
      campaignFormSchema,
      {
        client_id,
        name: readText(payload, 'name') ?? undefined,
        categories: findCategories(payload, lookup),
        manager: readText(payload, 'manager') ?? '–',
        start_date: start_date ?? '2000-01-01',
        due_date: keep('due_date', readNumber(payload, 'due_date'), 'is 1') ?? 1,
        initial_target: keep('initial_target', readNumber(payload, 'initial_target'), 'is 0') ?? 0,
        ...readNumbers(payload, keep, [
          'month_3_target',
          'month_6_target',
          'month_9_target',
          'month_12_target',
          'service_fee',
          'approved_ppc',
        ]),
        fixed_to_top: readFlag(payload, 'fixed_to_top') ? 1 : 0,
      },
      ['name', 'client_id', 'categories', 'due_date'],
    )
    const id = await createCampaign(tx, by, form)
    const hours = readHours(payload.hours)
    const state = readRecord(payload, 'state') ?? payload
    const trouble_state = readTroubleState(state)
    const note = readText(state, 'notes') ?? readText(payload, 'notes') ?? ''
    const isNoteKept = note.length <= mostNoteCharacters
    await tx
      .update(campaignsTable)
      .set({
        ...hours.values,
        ...(readText(payload, 'manager') === null && { manager: '' }),
        ...(start_date === null && { start_date: null }),
        is_ppc: readFlag(state, 'is_ppc'),
        ...(trouble_state !== null && { trouble_state }),
        notes: isNoteKept ? note : '',
        archived: readFlag(payload, 'archived'),
      })
      .where(eq(campaignsTable.id, id))
    const area = await writeArea(tx, id, payload.area)
    const lost = [
      isNoteKept ? null : `notes were left empty: At most ${mostNoteCharacters} characters`,
      trouble_state === null && readText(state, 'trouble_state') !== null
        ? `trouble_state ${readText(state, 'trouble_state')} is not known here`
        : null,
      describeLostCategories(payload, form.categories.length),
    ]
    return { id, kept: joinKept(kept, ...lostNumbers, hours.kept, area, ...lost) }
  },

  remove: async (tx, by, id, { stays }) => {
    await tx.select({ id: campaignsTable.id }).from(campaignsTable).where(eq(campaignsTable.id, id)).for('update')
    const changed =
      (await findPersonChange(tx, 'campaign', id)) ?? (await findPersonChange(tx, 'campaign', id, 'campaign area'))
    if (changed) return changed
    const leads = await tx.select({ id: leadsTable.id }).from(leadsTable).where(eq(leadsTable.campaign_id, id))
    for (const lead of leads) if (await stays('lead', lead.id)) return 'a lead of it stays'
    const used = await findReference(tx, 'campaigns', id, [leadsTable, campaignAreasTable, userCampaignsTable])
    if (used) return used
    // Leads that came in since are never taken back.
    for (const lead of leads) await unassignLead(tx, by, lead.id, id)
    const [gone] = await tx
      .delete(campaignsTable)
      .where(eq(campaignsTable.id, id))
      .returning({ name: campaignsTable.name, client_id: campaignsTable.client_id })
    if (gone) await writeAudit(tx, by.actor, { kind: 'campaign', rowId: id, before: gone, after: null })
    return null
  },
}

function unassignLead(tx: Tx, { actor, context }: MoveCaller, id: number, from: number) {
  const by = { actor, zone: context.settings.AGENCY_TIMEZONE }
  return moveLead(tx, by, { id, from, to: noCampaignId, keepsSite: true, before: async () => {} })
}

function findCategories(row: Row, lookup: MoveLookup): number[] {
  const list = Array.isArray(row.categories) ? row.categories : []
  const ids = list.map((one: unknown) => (isObject(one) ? readText(one, 'id') : String(one)))
  return ids.flatMap((id) => lookup.find('category', id) ?? [])
}

function describeLostCategories({ categories }: Row, found: number): string | null {
  const lost = (Array.isArray(categories) ? categories.length : 0) - found
  if (lost <= 0) return null
  return lost === 1 ? 'One of its categories was not moved' : `${lost} of its categories were not moved`
}

const readNumbers = (row: Row, keep: Keep, names: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const number = keep(name, readNumber(row, name))
      return number === null ? [] : [[name, number]]
    }),
  )

const readTroubleState = (row: Row): number | null => {
  const state = readNumber(row, 'trouble_state')
  return state !== null && troubleStates.some(({ value }) => value === state) ? state : null
}

/** The hours of an answer, or why they are not taken over. */
function readHours(answer: unknown): { values: Partial<typeof campaignsTable.$inferInsert>; kept?: string } {
  const hours = isObject(answer) && isObject(answer.data) ? answer.data : answer
  if (!isObject(hours) || hours.schedule === null || hours.schedule === undefined) return { values: {} }
  const days = readRecords(hours, 'schedule').map((day) => ({
    enabled: readFlag(day, 'enabled'),
    day: readNumber(day, 'day'),
    startTime: readText(day, 'startTime'),
    endTime: readText(day, 'endTime'),
  }))
  const schedule = scheduleSchema.safeParse(days)
  const timezone = timezoneField.safeParse(hours.timezone)
  const lost = [
    ...(schedule.success ? [] : ['its working hours']),
    ...(timezone.success ? [] : ['the time zone of its hours']),
  ]
  return {
    values: {
      ...(schedule.success && { schedule: schedule.data.toSorted((a, b) => a.day - b.day) }),
      ...(timezone.success && { timezone: timezone.data }),
    },
    ...(lost.length > 0 && { kept: `${lost.join(' and ')} could not be read, the usual ones are set` }),
  }
}

/** Returns why an area is not taken over. */
async function writeArea(tx: Tx, campaign_id: number, answer: unknown): Promise<string | null> {
  const points = isObject(answer) ? readRecords(answer, 'points') : Array.isArray(answer) ? answer.filter(isObject) : []
  if (points.length === 0) return null
  const read = points.map((point) => ({
    lat: readNumber(point, 'lat') ?? readNumber(point, 'latitude'),
    lng: readNumber(point, 'lng') ?? readNumber(point, 'longitude'),
  }))
  const parsed = campaignAreasContract.save.body.safeParse({ points: read })
  if (!parsed.success) return `The area was left out: ${parsed.error.issues[0]!.message}`
  await tx.insert(campaignAreasTable).values({ campaign_id, points: parsed.data.points })
  return null
}
