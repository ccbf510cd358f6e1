import { and, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { isLoopback } from '#contract/web-address.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { defaultAgencyName, readAgency } from '#domains/agency/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import type { ConnectionKind } from '#domains/connections/labels.ts'
import { listConnections } from '#domains/connections/public.ts'
import { importsTable } from '#domains/imports/schema.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { googleAccountsTable } from '#domains/listings/google/schema.ts'
import { movesTable } from '#domains/moves/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import type { SetupStep } from '../contract.ts'
import { type SetupStepKey, setupStepKeys } from '../labels.ts'
import { putOffStepsTable } from '../schema.ts'

type StepState = Pick<SetupStep, 'says' | 'lacks'>
type StepReader = (db: DbOrTx, context: AppContext) => Promise<StepState>

/** Reads what a new agency has to do. A step is done when it lacks nothing. */
export async function readSetupSteps(db: DbOrTx, context: AppContext): Promise<SetupStep[]> {
  const putOff = new Set((await db.select().from(putOffStepsTable)).map(({ key }) => key))
  const steps: SetupStep[] = []
  for (const key of setupStepKeys) {
    const state = await stepReaders[key](db, context)
    steps.push({ key, done: state.lacks === null, later: putOff.has(key), ...state })
  }
  return steps
}

const stepReaders: Record<SetupStepKey, StepReader> = {
  agency: async (db, { settings }) => {
    const { name, logo } = await readAgency(db, settings)
    const isNamed = name !== defaultAgencyName
    const missing = [...(isNamed ? [] : ['a name of its own']), ...(logo === null ? ['a logo'] : [])]
    const says = `${name}, times in ${settings.AGENCY_TIMEZONE} (AGENCY_TIMEZONE in the server’s settings).`
    return missing.length === 0
      ? { says, lacks: null }
      : {
          says: `${says} Still missing: ${missing.join(' and ')}.`,
          lacks: 'name',
        }
  },

  email: async (db, context) => {
    const state = await readConnectionStep(db, context, 'smtp', 'No mail server is connected.')
    const { PUBLIC_URL } = context.settings
    if (state.lacks !== null || !isOfThisMachine(PUBLIC_URL)) return state
    const links = `Links in emails lead to ${PUBLIC_URL}, which opens only on this machine.`
    return { says: `${state.says} ${links} Set PUBLIC_URL in the server’s settings.`, lacks: null }
  },

  callrail: (db, context) => readConnectionStep(db, context, 'callrail', 'No account is connected.'),

  google: async (db, context) => {
    const state = await readConnectionStep(db, context, 'google', 'Google is not connected.')
    if (state.lacks !== null) return state
    const accounts = await db.select({ email: googleAccountsTable.email }).from(googleAccountsTable)
    return accounts.length === 0
      ? { says: 'Google knows Leadline, but no account is linked yet.', lacks: 'account' }
      : { says: `Linked: ${accounts.map(({ email }) => email).join(', ')}.`, lacks: null }
  },

  data: async (db, context) => {
    const isThere =
      (await exists(db, sql`select from ${leadsTable} where ${ne(leadsTable.campaign_id, noCampaignId)}`)) ||
      (await exists(db, sql`select from ${importsTable} where ${eq(importsTable.state, 'done')}`)) ||
      (await exists(db, sql`select from ${movesTable} where ${eq(movesTable.state, 'done')}`))
    if (isThere) return { says: 'Your data is arriving.', lacks: null }
    if (await exists(db, sql`select from ${movesTable} where ${eq(movesTable.state, 'ready')}`))
      return { says: 'A plan is ready for you to accept.', lacks: 'plan' }
    const sources = [
      ...(await listConnections(context, 'legacy', db)),
      ...(await listConnections(context, 'callrail', db)),
    ]
    return sources.length > 0
      ? {
          says: `Connected: ${sources.map(({ name }) => name).join(', ')}. Nothing has been moved in yet.`,
          lacks: 'plan',
        }
      : { says: 'Nothing has been brought in yet, and no lead has come in.', lacks: 'data' }
  },

  first_client: async (db) => {
    const { client_id, archived } = campaignsTable
    if (!(await exists(db, sql`select from ${clientsTable} where ${isNull(clientsTable.deleted_at)}`)))
      return { says: 'There is no client yet.', lacks: 'client' }
    const isLive = and(isNotNull(client_id), eq(archived, false))
    if (!(await exists(db, sql`select from ${campaignsTable} where ${isLive}`)))
      return { says: 'There is a client, but no campaign for one yet.', lacks: 'campaign' }
    const hasSite = and(isNotNull(clientSitesTable.campaign_id), isNull(clientSitesTable.deleted_at))
    return (await exists(db, sql`select from ${clientSitesTable} where ${hasSite}`))
      ? { says: 'The first client has a campaign and a site.', lacks: null }
      : { says: 'There is a campaign, but it has no client site yet.', lacks: 'site' }
  },
}

function isOfThisMachine(url: string): boolean {
  const { hostname } = new URL(url)
  return isLoopback(hostname) || hostname === '0.0.0.0' || hostname === '[::]'
}

/** What the operator has set counts until it fails; what was entered here counts once it has worked. */
async function readConnectionStep(
  db: DbOrTx,
  context: AppContext,
  kind: ConnectionKind,
  none: string,
): Promise<StepState> {
  const all = await listConnections(context, kind, db)
  const isUsable = ({ source, state }: (typeof all)[number]) =>
    state === 'works' || (state === 'untested' && source === 'environment')
  const usable = all.filter(isUsable)
  if (usable.length > 0) return { says: `Connected: ${usable.map(({ name }) => name).join(', ')}.`, lacks: null }
  const [first] = all
  return first
    ? { says: first.says ?? `${first.name} has not been tested yet.`, lacks: 'answer' }
    : { says: none, lacks: 'connection' }
}

async function exists(db: DbOrTx, rows: ReturnType<typeof sql>): Promise<boolean> {
  const { rows: found } = await db.execute<{ found: boolean }>(sql`select exists (${rows}) as found`)
  return found[0]?.found ?? false
}
