import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import { countOf } from '#contract/count-of.ts'
import { cutText } from '#contract/cut-text.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { insertRows } from '#core/db/insert-rows.ts'
import { isDatabaseUnavailable } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { listConnections, readConnectionSecret, recordConnectionUse } from '#domains/connections/public.ts'
import { findTakenProviderIds, numberKey, readAccountCompanies } from '#domains/leads/public.ts'
import { CallRailError } from '#integrations/callrail/api.ts'
import { LegacyError, LegacyServer } from '#integrations/legacy/legacy-server.ts'
import { type ListedKind, listedKinds, movedKinds } from '../labels.ts'
import { type MoveSource, movedIdsTable, moveItemsTable, movesTable } from '../schema.ts'
import { toLeadNumber } from './lead-number.ts'
import { readDay, readReference } from './legacy-values.ts'
import { type CompanyPayload, readCompany, readFoundKeys } from './link-keys.ts'
import { lastingProblem, type MoveRow, type MoveTask, readMoveRow, setMove } from './move-task.ts'
import { type PlannedCompany, type PlannedOther, planCompanies } from './plan-companies.ts'
import { type PlannedLink, type PlannedThing, planLinks } from './plan-links.ts'
import { readHere } from './read-here.ts'
import { type FoundSystem, type FoundThing, readLegacySystem } from './read-legacy.ts'

type NewItem = typeof moveItemsTable.$inferInsert

/** Reads the systems of a move and writes its plan. What they refuse ends the plan with a sentence. */
export async function readMove(context: AppContext, task: MoveTask): Promise<void> {
  const row = await readMoveRow(context.db, task.id)
  if (row?.state !== 'reading') return
  try {
    const systems: { source: MoveSource; found: FoundSystem }[] = []
    for (const source of row.sources) systems.push({ source, found: await readSource(context, task.id, source) })
    await writePlan(context, task.id, systems)
  } catch (error) {
    if (isDatabaseUnavailable(error) || context.jobs.stopping.aborted) throw error
    const isKnown = error instanceof UnreadableSourceError
    if (!isKnown) context.log.error({ err: error }, 'plan of a move')
    const problem = isKnown ? describeUnreadable(error, row.sources) : lastingProblem
    await setReading(context, task.id, { state: 'failed', problem })
  }
}

/** Another process may have read the same, and its plan may be accepted by now: then nothing of this reading counts. */
const setReading = ({ db }: AppContext, moveId: number, values: Partial<MoveRow>) =>
  setMove(db, moveId, values, eq(movesTable.state, 'reading'))

const describeUnreadable = ({ message, source }: UnreadableSourceError, sources: readonly MoveSource[]): string =>
  sources.length > 1 ? `${source.name}: ${message}` : message

/** Why one of the systems cannot be read, as a sentence. */
class UnreadableSourceError extends Error {
  readonly source: MoveSource
  constructor(source: MoveSource, message: string) {
    super(message)
    this.source = source
  }
}

async function readSource(context: AppContext, moveId: number, source: MoveSource): Promise<FoundSystem> {
  try {
    return await (source.kind === 'legacy' ? readLegacySource : readCallRailSource)(context, moveId, source)
  } catch (error) {
    if (error instanceof LegacyError || error instanceof CallRailError)
      throw new UnreadableSourceError(source, error.message)
    throw error
  }
}

async function readCallRailSource(
  context: AppContext,
  moveId: number,
  { connection }: MoveSource,
): Promise<FoundSystem> {
  const progress = async (done: number, of: number, problem: string | null) => {
    await setReading(context, moveId, { done, total: of, problem })
  }
  try {
    const { companies, unread, withoutId } = await readAccountCompanies(context, connection, { progress })
    await recordConnectionUse(context.db, connection, { state: 'works' })
    return {
      things: companies.map(
        (company): FoundThing => ({
          ...{ kind: 'callrail_company', old_id: company.id, label: company.name, payload: readCompany(company) },
        }),
      ),
      leads: [],
      lacks: { callrail_company: describeCompanyLacks(unread, withoutId) },
      counted: {},
    }
  } catch (error) {
    await recordFailure(context, connection, error)
    throw error
  }
}

/** An account that asks to wait has not failed. */
async function recordFailure({ db, jobs }: AppContext, connection: number, error: unknown): Promise<void> {
  const isFailure = error instanceof LegacyError || (error instanceof CallRailError && error.kind !== 'busy')
  if (!isFailure || jobs.stopping.aborted) return
  const isRefused = error instanceof LegacyError ? error.isRefusal : error.kind === 'refused'
  await recordConnectionUse(db, connection, { state: isRefused ? 'refused' : 'unreachable', says: error.message })
}

function describeCompanyLacks(unread: number, withoutId: number): string[] {
  const known =
    'CallRail knows no logins, managers, categories and terms: a new client has no login and gets no email until you enter an email, and a new campaign starts today without targets'
  const lacks =
    withoutId === 0
      ? [known]
      : [
          known,
          `Left out: ${countOf(withoutId, 'item')} without an ID in CallRail’s lists of companies and tracking numbers`,
        ]
  if (unread === 0) return lacks
  const whose =
    unread === 1 ? 'The last calls and forms of 1 company were' : `The last calls and forms of ${unread} companies were`
  return [
    ...lacks,
    `${whose} not read, because CallRail allows 1,000 requests an hour: linked by ID, phone and name only`,
  ]
}

async function readLegacySource(context: AppContext, moveId: number, source: MoveSource): Promise<FoundSystem> {
  const { connection } = source
  const server = await openLegacyServer(context, source)
  try {
    const found = await readLegacySystem(server, async (done, of) => {
      await setReading(context, moveId, { done, total: of })
    })
    await recordConnectionUse(context.db, connection, { state: 'works' })
    return found
  } catch (error) {
    await recordFailure(context, connection, error)
    throw error
  }
}

/** Throws a `LegacyError` if the connection was removed, or leads to another system than the move began with. */
export async function openLegacyServer(
  context: AppContext,
  { connection, source }: Pick<MoveSource, 'connection' | 'source'>,
): Promise<LegacyServer> {
  const found = (await listConnections(context, 'legacy')).find(({ id }) => id === connection)
  const secret = await readConnectionSecret(context, 'legacy', connection)
  if (!found?.address || secret === null) throw new LegacyError('The connection to the old system was removed')
  if (toLegacySource(found.address) !== source)
    throw new LegacyError(`The connection leads to ${found.address} now, but this move began at ${source}`)
  return new LegacyServer(
    context.outbound,
    { address: found.address, token: secret.token },
    { stopping: context.jobs.stopping },
  )
}

/** What an old system is known by: the ids of its things are its own. */
export const toLegacySource = (address: string) => address.replace(/\/+$/, '')

async function writePlan(
  { db }: AppContext,
  moveId: number,
  systems: { source: MoveSource; found: FoundSystem }[],
): Promise<void> {
  const here = await readHere(db)
  const items: NewItem[] = []
  const planned: PlannedThing[] = []
  const companies: PlannedCompany[][] = []
  for (const { source, found } of systems) {
    const own: PlannedCompany[] = []
    companies.push(own)
    const keys = readFoundKeys(found.things)
    const moved = await readMovedIds(db, source.source)
    for (const thing of found.things) {
      const known = moved.get(`${thing.kind} ${thing.old_id}`) ?? null
      const item = toItem(moveId, source, thing)
      items.push(item)
      if (isListed(thing.kind)) {
        const { kind } = thing
        const one = { ...keys.get(thing)!, key: item.key, kind, connection_id: source.connection, moved: known }
        if (kind === 'callrail_company')
          own.push({ thing: one, name: thing.label, payload: thing.payload as CompanyPayload }) // as `readCompany` made it
        else planned.push(one)
      } else if (known !== null) Object.assign(item, toSame(thing.kind, known))
    }
  }
  const links = planLinks(planned, here)
  await followCampaigns(db, systems, links)
  const pick = (kind: ListedKind) =>
    planned.flatMap((one): PlannedOther[] =>
      one.kind === kind ? [{ key: one.key, label: labels.get(one.key)!, keys: one, link: links.get(one.key)! }] : [],
    )
  const labels = new Map(items.map(({ key, label }) => [key, label]))
  const companyLinks = planCompanies(companies, {
    campaigns: here.filter(({ kind }) => kind === 'callrail_company'),
    clients: here.filter(({ kind }) => kind === 'client'),
    planned: { campaigns: pick('campaign'), clients: pick('client') },
  })
  for (const item of items) {
    const link = links.get(item.key)
    if (link) Object.assign(item, toColumns(item.kind as ListedKind, link))
    const company = companyLinks.get(item.key)
    if (company) {
      const { choice, client } = company
      Object.assign(item, toColumns('callrail_company', company), { choice, payload: { ...item.payload, client } })
    }
  }
  const order = new Map(movedKinds.map((kind, at) => [kind, at]))
  // By their ids, as far as these are numbers, so that what is ordered by id stays in its order.
  const byId = (a: NewItem, b: NewItem) => Number(a.old_id) - Number(b.old_id) || 0
  items.sort((a, b) => order.get(a.kind)! - order.get(b.kind)! || byId(a, b))
  await db.transaction(async (tx) => {
    // Another process may have read the same, and its plan may be accepted by now.
    const [row] = await tx
      .select({ state: movesTable.state })
      .from(movesTable)
      .where(eq(movesTable.id, moveId))
      .for('update')
    if (row?.state !== 'reading') return
    await tx.delete(moveItemsTable).where(eq(moveItemsTable.move_id, moveId))
    let position = 0
    const insert = async (some: readonly NewItem[]) => {
      const placed = some.map((item) => ({ ...item, position: position++ }))
      await insertRows(tx, moveItemsTable, placed, { key: moveItemsTable.key })
    }
    for (let from = 0; from < items.length; from += 500) await insert(items.slice(from, from + 500))
    // Leads are the last, in the order of their time.
    const months: Record<string, number> = {}
    for (const { source, found } of systems)
      for (const things of found.leads) {
        if (things.length === 0) continue
        const leads = await planLeads(tx, moveId, source, things)
        countMonths(leads, months)
        await insert(leads)
      }
    await setMove(tx, moveId, {
      state: 'ready',
      problem: null,
      done: 0,
      total: null,
      lacks: mergeLists(systems.map(({ found }) => found.lacks)),
      months,
      counted: mergeCounts(systems.map(({ found }) => found.counted)),
    })
  })
}

const isListed = (kind: FoundThing['kind']): kind is ListedKind => (listedKinds as readonly string[]).includes(kind)

export const toItemKey = (connection: number, kind: string, oldId: string) => `${connection}-${kind}-${oldId}`

const toItem = (
  move_id: number,
  { connection }: MoveSource,
  { kind, old_id, label, payload }: FoundThing,
): NewItem => ({
  ...{ move_id, kind, old_id, payload, connection_id: connection, position: 0 },
  key: toItemKey(connection, kind, old_id),
  label: cutText(label, 200),
  becomes: 'new',
})

const toColumns = (kind: ListedKind, { becomes, to, by, reason, options }: PlannedLink): Partial<NewItem> => ({
  ...{ becomes, by, reason, options },
  to_kind: to && (kind === 'callrail_company' ? 'campaign' : kind),
  to_id: typeof to?.id === 'number' ? to.id : null,
  to_key: typeof to?.id === 'string' ? to.id : null,
  to_label: to?.label ?? null,
})

const toSame = (kind: FoundThing['kind'], known: number | null): Partial<NewItem> => ({
  ...{ becomes: 'same', to_kind: kind, to_id: known, by: known === null ? 'id' : 'moved' },
})

/** Of everything but leads, which are looked up a part at a time. */
async function readMovedIds(db: DbOrTx, source: string): Promise<Map<string, number>> {
  const isOther = and(eq(movedIdsTable.source, source), ne(movedIdsTable.kind, 'lead'))
  const rows = await db.select().from(movedIdsTable).where(isOther)
  return new Map(rows.map(({ kind, old_id, row_id }) => [`${kind} ${old_id}`, row_id]))
}

/** Returns the items of leads; those that an earlier move has brought, or whose number at their provider is here already, are the same. */
async function planLeads(
  tx: Tx,
  moveId: number,
  source: MoveSource,
  things: readonly FoundThing[],
): Promise<NewItem[]> {
  const ids = things.map(({ old_id }) => old_id)
  const isLead = and(eq(movedIdsTable.source, source.source), eq(movedIdsTable.kind, 'lead'))
  const rows = await tx
    .select()
    .from(movedIdsTable)
    .where(and(isLead, inArray(movedIdsTable.old_id, ids)))
  const moved = new Map(rows.map(({ old_id, row_id }) => [old_id, row_id]))
  const numberOf = ({ payload, old_id }: FoundThing) => toLeadNumber(payload, source.source, old_id)
  const taken = await findTakenProviderIds(tx, things.map(numberOf))
  return things.map((thing) => {
    const known = moved.get(thing.old_id) ?? null
    const isSame = known !== null || taken.has(numberKey(numberOf(thing)))
    return { ...toItem(moveId, source, thing), ...(isSame && toSame('lead', known)) }
  })
}

/** A client that nothing else links is the one here that has all its linked campaigns. */
async function followCampaigns(
  db: DbOrTx,
  systems: { source: MoveSource; found: FoundSystem }[],
  links: Map<string, PlannedLink>,
): Promise<void> {
  for (const { source, found } of systems) {
    const keyOf = ({ kind, old_id }: FoundThing) => toItemKey(source.connection, kind, old_id)
    const campaigns = found.things.filter(({ kind }) => kind === 'campaign')
    for (const client of found.things.filter(({ kind }) => kind === 'client')) {
      if (links.get(keyOf(client))?.becomes !== 'new') continue
      const own = campaigns.filter(({ payload }) => readReference(payload, 'client') === client.old_id)
      const linked = own.map((one) => links.get(keyOf(one))!).filter(({ becomes }) => becomes === 'same')
      if (linked.length === 0) continue
      const owners = await db
        .selectDistinct({ id: campaignsTable.client_id })
        .from(campaignsTable)
        .where(
          inArray(
            campaignsTable.id,
            linked.map(({ to }) => Number(to!.id)), // a row here
          ),
        )
      const owner = owners.length === 1 ? owners[0]! : null
      const label = owner && (await readClientName(db, owner.id))
      if (owner === null || label === null) continue
      const reason = `Has ${linked[0]!.to!.label} here`
      links.set(keyOf(client), {
        becomes: 'same',
        to: { id: owner.id, label },
        by: linked[0]!.by,
        reason,
        options: [{ id: owner.id, label, reason }],
      })
    }
  }
}

async function readClientName(db: DbOrTx, id: number): Promise<string | null> {
  const [client] = await db
    .select({ name: clientsTable.name })
    .from(clientsTable)
    .where(and(eq(clientsTable.id, id), isNull(clientsTable.deleted_at)))
  return client?.name ?? null
}

function countMonths(leads: readonly NewItem[], months: Record<string, number>): void {
  for (const { payload } of leads) {
    const month = payload ? readDay(payload, 'lead_date')?.slice(0, 7) : undefined
    if (month) months[month] = (months[month] ?? 0) + 1
  }
}

const mergeLists = (all: FoundSystem['lacks'][]): FoundSystem['lacks'] =>
  Object.fromEntries(
    movedKinds.flatMap((kind) => {
      const lines = [...new Set(all.flatMap((one) => one[kind] ?? []))]
      return lines.length > 0 ? [[kind, lines]] : []
    }),
  )

const mergeCounts = (all: FoundSystem['counted'][]): FoundSystem['counted'] =>
  Object.fromEntries(
    movedKinds.flatMap((kind) => {
      const counts = all.flatMap((one) => one[kind] ?? [])
      return counts.length > 0 ? [[kind, counts.reduce((sum, one) => sum + one, 0)]] : []
    }),
  )
