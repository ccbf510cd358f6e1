import { and, eq, inArray, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { type Actor, difference, record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { conflict, invalid, notFound } from '#core/http/errors.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { zipCodes } from '#domains/campaigns/area/schema.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { askGoogle } from '#domains/listings/checks/server/google-check.ts'
import { checksAsked } from '#domains/listings/checks/server/jobs.ts'
import type { GmbForm } from '../contract.ts'
import { suspended } from '../labels.ts'
import { cidOf } from '../maps-link.ts'
import { gmbs, passwordPlace, recoveryEmailPlace, unchecked } from '../schema.ts'
import { note } from './listing-log.ts'
import { opened, readGmb, type Stored, visibleTo } from './queries.ts'

/** Who, through which request, and with which key. */
export type By = { me: Me; actor: Actor; house: House }
type Columns = Partial<typeof gmbs.$inferInsert>
const kind = 'listing'

export async function addGmb(tx: Tx, by: By, form: GmbForm): Promise<number> {
  const { password, recovery_email, version: _, ...plain } = form
  await needCampaign(tx, by.me, form.campaign_id)
  const values = { ...plain, ...(await placeOf(tx, plain.address)), suspended_at: suspendedAt(form.status, null) }
  const [made] = await tx.insert(gmbs).values(values).returning({ id: gmbs.id })
  const { id } = made!
  const secrets = sealed(by, id, { password, recovery_email })
  if (Object.keys(secrets).length > 0) await tx.update(gmbs).set(secrets).where(eq(gmbs.id, id))
  const after = { ...plain, ...told({ password, recovery_email }) }
  await record(tx, by.actor, { kind, rowId: id, before: null, after, version: 1 })
  await note(tx, by.actor, id, { created: true })
  return id
}

/** What is sent over what was there. What changes nothing leaves no trace; an older version answers 409 with the newer listing. */
export async function changeGmb(tx: Tx, by: By, id: number, form: GmbForm): Promise<void> {
  const { password, recovery_email, version: seen, ...plain } = form
  const row = await gmbToChange(tx, by.me, id)
  const wanted = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  const isOther = recovery_email !== undefined && recovery_email !== opened(by.house.secrets, row)
  const secrets = { password, recovery_email: isOther ? recovery_email : undefined }
  const changes: Columns = difference(row, wanted).after
  if (Object.keys(changes).length === 0 && Object.keys(told(secrets)).length === 0) return
  if (seen !== undefined && seen < row.version)
    throw conflict('Somebody changed this listing meanwhile', {
      newer: await readGmb(tx, by.house.secrets, by.me, id),
    })
  if (changes.campaign_id !== undefined) await needCampaign(tx, by.me, changes.campaign_id)
  await write(tx, by, row, {
    shown: changes,
    columns: {
      ...sealed(by, id, secrets),
      ...(changes.link !== undefined && cidOf(changes.link) !== cidOf(row.link) ? unchecked() : {}),
      ...('address' in changes ? await placeOf(tx, changes.address) : {}),
      ...('status' in changes ? { suspended_at: suspendedAt(form.status, row.suspended_at) } : {}),
    },
    secrets: told(secrets),
  })
}

/** A switch: the other way, or as wanted. */
export async function switchGmb(
  tx: Tx,
  by: By,
  id: number,
  name: 'client_owned' | 'is_client_location',
  wanted: boolean | undefined,
): Promise<void> {
  const row = await gmbToChange(tx, by.me, id)
  const next = wanted ?? !row[name]
  if (next !== row[name]) await write(tx, by, row, { shown: { [name]: next } })
}

/** What became different after they looked is not theirs to accept: an older version answers 409 with the newer listing. */
export async function acceptGmb(tx: Tx, by: By, id: number, seen: number | undefined): Promise<void> {
  const row = await gmbToChange(tx, by.me, id)
  if (!row.changed) return
  if (seen !== undefined && seen < row.version)
    throw conflict('This listing has changed meanwhile: look at it again', {
      newer: await readGmb(tx, by.house.secrets, by.me, id),
    })
  await write(tx, by, row, { shown: { changed: false }, columns: { changed_at: null, changed_fields: [] } })
}

/** All of them or none, in the order in which they are named. Those that wait already wait on. */
export async function askForChecks(tx: Tx, by: By, ids: number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  const place = sql`array_position(${sql.param(wanted)}::int[], ${gmbs.id})`
  const asked = await tx
    .update(gmbs)
    .set({ check_asked_at: sql`coalesce(${gmbs.check_asked_at}, now() + ${place} * interval '1 millisecond')` })
    .where(and(inArray(gmbs.id, wanted), visibleTo(by.me)))
    .returning({ id: gmbs.id })
  if (asked.length < wanted.length) throw invalid({ ids: ['There is no such listing'] })
  await askGoogle(tx, by.house, wanted)
  await by.house.jobs.send(tx, checksAsked, {}, { key: 'asked' })
}

export async function removeGmb(tx: Tx, by: By, id: number): Promise<void> {
  const { title, link, campaign_id } = await gmbToChange(tx, by.me, id)
  await tx.update(gmbs).set({ deleted_at: sql`now()` }).where(eq(gmbs.id, id))
  await record(tx, by.actor, { kind, rowId: id, before: { title, link, campaign_id }, after: null })
}

/** Locked until the change is done. */
async function gmbToChange(tx: Tx, me: Me, id: number): Promise<Stored> {
  const [row] = await tx
    .select()
    .from(gmbs)
    .where(and(eq(gmbs.id, id), visibleTo(me)))
    .for('update')
  if (!row) throw notFound()
  return row
}

type Change = { shown: Columns; columns?: Columns; secrets?: Record<string, string> }

async function write(tx: Tx, { actor }: By, before: Stored, { shown, columns = {}, secrets = {} }: Change) {
  const { id } = before
  const version = before.version + 1
  await tx
    .update(gmbs)
    .set({ ...shown, ...columns, version, updated_at: sql`now()` })
    .where(eq(gmbs.id, id))
  const without = { ...before, ...Object.fromEntries(Object.keys(secrets).map((name) => [name, 'old'])) }
  await record(tx, actor, { kind, rowId: id, before: without, after: { ...shown, ...secrets }, version })
  await note(tx, actor, id, { before, after: shown, secrets: Object.keys(secrets) })
}

/** No such campaign, and one that this person may not see: the same words for both. */
async function needCampaign(tx: Tx, me: Me, id: number) {
  const [campaign] = await tx
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(eq(campaigns.id, id), inTheirCampaigns(me, campaigns.id)))
    .for('key share')
  if (!campaign) throw invalid({ campaign_id: ['There is no such campaign'] })
}

type Secret = Pick<GmbForm, 'password' | 'recovery_email'>

/** An empty password keeps the old one; an empty recovery email is none. */
function sealed({ house: { secrets } }: By, id: number, { password, recovery_email }: Secret): Columns {
  return {
    ...(password ? { password: secrets.seal(password, passwordPlace(id)) } : {}),
    ...(recovery_email ? { recovery_email: secrets.seal(recovery_email, recoveryEmailPlace(id)) } : {}),
    ...(recovery_email === null ? { recovery_email } : {}),
  }
}

/** What may be told of them. */
const told = ({ password, recovery_email }: Secret): Record<string, string> => ({
  ...(password ? { password: 'changed' } : {}),
  ...(recovery_email === undefined ? {} : { recovery_email: 'changed' }),
})

const suspendedAt = (status: number, before: Date | null) => (status === suspended ? (before ?? new Date()) : null)

/** The middle of the ZIP code that an address ends with: as near as an address tells without asking anybody. */
async function placeOf(tx: Tx, address: string | null | undefined) {
  const zip = /(?:^|[\s,])(\d{5})(?:-\d{4})?[\s,.]*(?:USA?|United States)?[\s.]*$/i.exec(address ?? '')?.[1]
  const [found] = zip ? await tx.select({ centre: zipCodes.centre }).from(zipCodes).where(eq(zipCodes.zip, zip)) : []
  return { latitude: found?.centre.y ?? null, longitude: found?.centre.x ?? null }
}
