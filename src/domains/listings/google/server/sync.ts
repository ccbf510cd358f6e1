import { and, eq, isNull, sql } from 'drizzle-orm'
import { HttpError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { type BusinessAccount, readBusinessAccounts } from '#integrations/google/accounts.ts'
import type { GoogleFetch } from '#integrations/google/connection.ts'
import { GrantRevokedError } from '#integrations/google/errors.ts'
import {
  type BusinessLocation,
  readGoogleUpdates,
  readLocation,
  readLocationPages,
} from '#integrations/google/locations.ts'
import { readVerificationStatus } from '#integrations/google/verification-status.ts'
import { googleAccountsTable, googleLocationsTable } from '../schema.ts'
import { refreshCategories } from './categories.ts'
import { AccountUnlinkedError, createGoogleFetch, describeGoogleError } from './google-access.ts'
import { type FoundLocation, markVanishedLocations, upsertLocations } from './store-locations.ts'

/**
 * Reads every location that a linked account reaches and saves it page by page. Missing locations are marked as vanished only after
 * all pages were read. If Google fails on the way, the saved pages stay.
 */
export async function syncAccount(context: AppContext, id: number): Promise<void> {
  const [account] = await context.db
    .update(googleAccountsTable)
    .set({ sync_started_at: sql`now()`, sync_ended_at: null })
    .where(and(eq(googleAccountsTable.id, id), isNull(googleAccountsTable.needs_relink_since)))
    .returning({ started: googleAccountsTable.sync_started_at })
  if (!account?.started) return
  try {
    const businesses = await readAllLocations(context, id)
    await markVanishedLocations(context.db, id, account.started)
    await endSync(context, id, { synced_at: account.started, problem: null, ...pickAccountName(businesses) })
    await refreshAccountCategories(context, id)
  } catch (error) {
    if (error instanceof AccountUnlinkedError) return
    const isLeaving = context.jobs.stopping.aborted
    await endSync(context, id, isLeaving ? {} : { problem: describeSyncError(error) })
    if (!(error instanceof GrantRevokedError)) throw error // the job retries
  }
}

/** Without a Google client, the error says what is missing. */
const describeSyncError = (error: unknown) =>
  error instanceof HttpError ? error.message : (describeGoogleError(error) ?? 'Something went wrong')

async function readAllLocations(context: AppContext, accountId: number): Promise<BusinessAccount[]> {
  const ask = createGoogleFetch(context, accountId)
  const businesses = await readBusinessAccounts(ask)
  for (const business of businesses) {
    let requestedAt = new Date()
    for await (const page of readLocationPages(ask, business.name)) {
      const found: FoundLocation[] = []
      for (const location of page) found.push(await readLocationDetails(context, ask, location))
      await upsertLocations(context.db, { accountId, business }, found, requestedAt)
      if (context.jobs.stopping.aborted) throw new Error('The process is shutting down')
      requestedAt = new Date()
    }
  }
  return businesses
}

/** Requests the details that a list of locations lacks; if that fails, the stored ones stay. */
async function readLocationDetails(
  { log }: AppContext,
  ask: GoogleFetch,
  location: BusinessLocation,
): Promise<FoundLocation> {
  const { hasVoiceOfMerchant, hasPendingEdits, hasGoogleUpdated } = location.metadata ?? {}
  const tryRead = async <T>(question: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await question()
    } catch (error) {
      if (error instanceof GrantRevokedError || describeGoogleError(error) === null) throw error
      log.warn(
        { location: location.name, reason: describeGoogleError(error) },
        'some details of a location could not be read',
      )
      return undefined
    }
  }
  const updates =
    hasPendingEdits || hasGoogleUpdated ? await tryRead(() => readGoogleUpdates(ask, location.name)) : noUpdates
  return {
    location,
    standing:
      hasVoiceOfMerchant === false
        ? await tryRead(() => readVerificationStatus(ask, location.name))
        : hasVoiceOfMerchant
          ? 'active'
          : 'unknown',
    pending_parts: updates?.pending,
    google_parts: updates?.changed ?? [],
  }
}
const noUpdates = { pending: [], changed: [] }

export type LocationRow = typeof googleLocationsTable.$inferSelect

/** Reads one location again, saves it, and returns it as Google has it. */
export async function refreshLocation(
  context: AppContext,
  ask: GoogleFetch,
  row: LocationRow,
): Promise<BusinessLocation> {
  const requestedAt = new Date()
  const location = await readLocation(ask, row.name)
  const business = { name: row.business_account, accountName: row.business_account_name }
  const found = await readLocationDetails(context, ask, location)
  await upsertLocations(context.db, { accountId: row.account_id, business }, [found], requestedAt)
  return location
}

/** Returns the name of the person's own account, or of the first one. */
function pickAccountName(businesses: readonly BusinessAccount[]) {
  const own = businesses.find(({ type }) => type === 'PERSONAL') ?? businesses[0]
  return own?.accountName ? { account_name: own.accountName } : {}
}

const endSync = ({ db }: AppContext, id: number, fields: Partial<typeof googleAccountsTable.$inferInsert>) =>
  db
    .update(googleAccountsTable)
    .set({ ...fields, sync_ended_at: sql`now()` })
    .where(eq(googleAccountsTable.id, id))

/** Refreshes the categories once a week. The sync succeeds even if this fails. */
async function refreshAccountCategories(context: AppContext, accountId: number) {
  const regions = await context.db
    .selectDistinct({ code: googleLocationsTable.region_code })
    .from(googleLocationsTable)
    .where(eq(googleLocationsTable.account_id, accountId))
  for (const { code } of regions)
    try {
      await refreshCategories(context, createGoogleFetch(context, accountId), code)
    } catch (error) {
      context.log.warn(
        { region: code, reason: describeGoogleError(error) ?? String(error) },
        'categories were not read',
      )
    }
}
