import { and, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { AuditActor } from '#core/audit/write-audit.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { followLeadMoves, settleCampaignDisputes } from '#domains/billing/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { mailsTable } from '../mail/schema.ts'
import { ratingKeysTable } from '../rating/schema.ts'
import { type ClientWords, noWords, readStoredWords, toHiddenWords, wordColumns } from './client-words.ts'
import { getShownRating, type StoredLead, toLeadDto } from './dto.ts'
import { leadsTable } from './schema.ts'
import { lockLeads, updateLeads } from './store.ts'

/** A lead goes from one client to another, or to none. */
type ClientMove = { from: number; to: number | null }
/** The client of each campaign. */
type CampaignClients = ReadonlyMap<number, number>

export async function readCampaignClients(db: DbOrTx, campaignIds: readonly number[]): Promise<CampaignClients> {
  const rows = await db
    .select({ id: campaignsTable.id, client: campaignsTable.client_id })
    .from(campaignsTable)
    .where(inArray(campaignsTable.id, [...new Set(campaignIds)]))
  return new Map(rows.map(({ id, client }) => [id, client]))
}

/** Keeps a campaign with its client until the transaction ends, and returns that client; null for leads without a campaign. */
export async function lockCampaignClient(tx: Tx, campaignId: number): Promise<number | null> {
  const [campaign] = await tx
    .select({ client: campaignsTable.client_id })
    .from(campaignsTable)
    .where(eq(campaignsTable.id, campaignId))
    .for('key share')
  return campaign?.client ?? null
}

/** Returns null if the lead stays with its client, or had none. */
export function findClientMove(
  clients: CampaignClients,
  before: Pick<StoredLead, 'campaign_id'>,
  after: Pick<StoredLead, 'campaign_id'>,
): ClientMove | null {
  const [from, to] = [clients.get(before.campaign_id), clients.get(after.campaign_id) ?? null]
  return from === undefined || from === to ? null : { from, to }
}

/** The values of a change to add to its audit entry: who the lead left, and what the fields of the API do not say. */
type MoveEntry = { before: Record<string, unknown>; after: Record<string, unknown> }

/** Returns what a move to another client adds to the audit entry of the lead. */
export const describeMove = (move: ClientMove, before: ClientWords, after: ClientWords): MoveEntry => ({
  before: { client_id: move.from, ...toHiddenWords(before) },
  after: { client_id: move.to, ...toHiddenWords(after) },
})

/**
 * Returns the columns that a move sets: without the words of the client who loses the lead. A new word in the same change
 * stays.
 */
export function dropWords(row: StoredLead, set: Partial<StoredLead>): Partial<StoredLead> {
  const isNew = ([column]: [string, unknown]) => {
    const wanted = set[column as keyof ClientWords]
    return wanted !== undefined && wanted !== row[column as keyof ClientWords]
  }
  return { ...set, ...Object.fromEntries(Object.entries(noWords).filter((entry) => !isNew(entry))) }
}

/** Returns what a client said about a lead when it last left them: its fields, with every change since then taken back. */
export async function readLeftWords(tx: Tx, row: StoredLead, clientId: number | null): Promise<ClientWords> {
  return clientId === null ? noWords : (await readLeftWordsOf(tx, [row], clientId)).get(row.id)!
}

/** The same of several leads. */
async function readLeftWordsOf(
  tx: Tx,
  rows: readonly StoredLead[],
  clientId: number,
): Promise<ReadonlyMap<number, ClientWords>> {
  const entries = await tx
    .select({
      id: auditTable.row_id,
      before: auditTable.before,
      isLeave: sql<boolean>`coalesce(${auditTable.before} ->> 'client_id' = ${String(clientId)}, false)`,
    })
    .from(auditTable)
    .where(
      and(
        eq(auditTable.kind, 'lead'),
        inArray(
          auditTable.row_id,
          rows.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(desc(auditTable.id))
  const byLead = Map.groupBy(entries, ({ id }) => id)
  return new Map(
    rows.map((row) => {
      const own = byLead.get(row.id) ?? []
      const left = own.findIndex(({ isLeave }) => isLeave)
      if (left === -1) return [row.id, noWords]
      const now = { ...row, ...toHiddenWords(row), rating: getShownRating(row) }
      const since = own.slice(0, left + 1)
      return [row.id, readStoredWords(Object.assign({}, now, ...since.map(({ before }) => before)))]
    }),
  )
}

type MovedLead = { before: StoredLead; after: StoredLead; move: ClientMove | null; putBack: boolean }

/** Lets disputes follow leads that have moved to another campaign. The leads are locked. */
export const followMoves = (tx: Tx, actor: AuditActor, leads: readonly MovedLead[]): Promise<void> =>
  followLeadMoves(
    tx,
    actor,
    leads.flatMap(({ before, after, move, putBack }) =>
      before.campaign_id === after.campaign_id
        ? []
        : { id: before.id, campaign_id: after.campaign_id, move, reopensFor: putBack ? (move?.to ?? null) : null },
    ),
  )

const handOverAtOnce = 500

/**
 * Takes the leads of a campaign along when it is given to another client, as if each were moved; those that were that client's before, as
 * if each were put back. The campaign is locked.
 */
export async function handOverLeads(
  tx: Tx,
  { actor, zone }: { actor: AuditActor; zone: string },
  { id: campaignId, from, to }: { id: number; from: number; to: number },
): Promise<void> {
  await keepKeysWithClient(tx, campaignId, from)
  await settleCampaignDisputes(tx, actor, campaignId, from)
  const rows = await tx
    .select({ id: leadsTable.id, isWorded: sql<boolean>`coalesce(${hasWords}, false)` })
    .from(leadsTable)
    .where(eq(leadsTable.campaign_id, campaignId))
    .orderBy(leadsTable.id)
  for (let start = 0; start < rows.length; start += handOverAtOnce) {
    const some = rows.slice(start, start + handOverAtOnce)
    const leftBy = await readLeftClients(
      tx,
      some.map(({ id }) => id),
    )
    // One that a client has left before needs an entry though it has no words: they have taken back what they said.
    const kept = some.filter(({ id, isWorded }) => isWorded || leftBy.get(id)?.has(from) || leftBy.get(id)?.has(to))
    const leads = await lockLeads(
      tx,
      kept.map(({ id }) => [id, {}]),
    )
    const own = [...leads.values()].filter(({ row }) => row.campaign_id === campaignId)
    const returned = own.flatMap(({ row }) => (leftBy.get(row.id)?.has(to) ? [row] : []))
    const words = await readLeftWordsOf(tx, returned, to)
    const edits = own.map((lead) => {
      const set = words.get(lead.row.id) ?? noWords
      const changed = { ...lead.row, ...set }
      const entry = describeMove({ from, to }, lead.row, changed)
      const before = { ...toLeadDto(lead.row, zone), ...entry.before }
      return { lead, set, before, after: { ...toLeadDto(changed, zone), ...entry.after } }
    })
    await updateLeads(tx, { actor, zone }, edits)
    await followLeadMoves(
      tx,
      actor,
      returned.map(({ id }) => ({ id, campaign_id: campaignId, move: { from }, reopensFor: to })),
    )
  }
}

const hasWords = or(...wordColumns.map((column) => isNotNull(leadsTable[column])))

/** Returns the clients that each of these leads has left. */
async function readLeftClients(tx: Tx, leadIds: number[]): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const client = sql<number>`(${auditTable.before} ->> 'client_id')::int`
  const rows = await tx
    .selectDistinct({ id: auditTable.row_id, client })
    .from(auditTable)
    .where(and(eq(auditTable.kind, 'lead'), inArray(auditTable.row_id, leadIds), sql`${client} is not null`))
  const byLead = Map.groupBy(rows, ({ id }) => id)
  return new Map([...byLead].map(([id, left]) => [id, new Set(left.map((row) => row.client))]))
}

/** Of a key that does not name its client, its mail does, or else the campaign that the lead leaves. */
const keepKeysWithClient = (tx: Tx, campaignId: number, client: number) =>
  tx.execute(sql`
    update ${ratingKeysTable} set client_id = coalesce(
      (select mail.client_id from ${mailsTable} mail where mail.id = rating_keys.mail_id and mail.campaign_id = ${campaignId}), ${client})
    from ${leadsTable}
    where ${leadsTable.campaign_id} = ${campaignId} and rating_keys.campaign_id = ${campaignId}
      and rating_keys.lead_id = ${leadsTable.id} and rating_keys.client_id is null`)
