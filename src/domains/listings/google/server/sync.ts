import { and, eq, isNull, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { type BusinessAccount, businessAccounts } from '#integrations/google/accounts.ts'
import type { Asking } from '#integrations/google/connection.ts'
import { GrantGone } from '#integrations/google/errors.ts'
import { type Location, locationPages, pendingFields } from '#integrations/google/locations.ts'
import { readStanding } from '#integrations/google/verification-status.ts'
import { googleAccounts, googleLocations } from '../schema.ts'
import { keepCategories } from './categories.ts'
import { asking, Unlinked, wordsOf } from './google-access.ts'
import { type Found, keep, markVanished } from './store-locations.ts'

/**
 * Reads every location that a linked account reaches, page by page, and keeps each page as it comes. Only when all was read is
 * what was not among it marked as vanished. Where Google says no on the way, what was kept stays.
 */
export async function syncAccount(house: House, id: number): Promise<void> {
  const [account] = await house.db
    .update(googleAccounts)
    .set({ sync_started_at: sql`now()`, sync_ended_at: null })
    .where(and(eq(googleAccounts.id, id), isNull(googleAccounts.needs_relink_since)))
    .returning({ started: googleAccounts.sync_started_at })
  if (!account?.started) return
  try {
    const businesses = await readAll(house, id)
    await markVanished(house.db, id, account.started)
    await end(house, id, { synced_at: account.started, problem: null, ...calledAfter(businesses) })
    await readCategories(house, id)
  } catch (error) {
    if (error instanceof Unlinked) return
    const isLeaving = house.jobs.stopping.aborted
    await end(house, id, isLeaving ? {} : { problem: wordsOf(error) ?? 'Google’s answer could not be understood' })
    if (!(error instanceof GrantGone)) throw error // the job comes again
  }
}

async function readAll(house: House, accountId: number): Promise<BusinessAccount[]> {
  const ask = asking(house, accountId)
  const businesses = await businessAccounts(ask)
  for (const business of businesses) {
    let askedAt = new Date()
    for await (const page of locationPages(ask, business.name)) {
      const found: Found[] = []
      for (const location of page) found.push(await lookCloser(house, ask, location))
      await keep(house.db, { accountId, business }, found, askedAt)
      if (house.jobs.stopping.aborted) throw new Error('The process is asked to leave')
      askedAt = new Date()
    }
  }
  return businesses
}

/** What a list does not tell is asked for each that needs it; where that fails, what is known stays. */
export async function lookCloser({ log }: House, ask: Asking, location: Location): Promise<Found> {
  const { hasVoiceOfMerchant, hasPendingEdits } = location.metadata ?? {}
  const unless = async <T>(question: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await question()
    } catch (error) {
      if (error instanceof GrantGone || wordsOf(error) === null) throw error
      log.warn({ location: location.name, reason: wordsOf(error) }, 'Google did not tell all')
      return undefined
    }
  }
  return {
    location,
    standing:
      hasVoiceOfMerchant === false
        ? await unless(() => readStanding(ask, location.name))
        : hasVoiceOfMerchant
          ? 'active'
          : 'unknown',
    pending_parts: hasPendingEdits ? await unless(() => pendingFields(ask, location.name)) : [],
  }
}

/** A person's own account is called after them; else the first one that there is. */
function calledAfter(businesses: readonly BusinessAccount[]) {
  const own = businesses.find(({ type }) => type === 'PERSONAL') ?? businesses[0]
  return own?.accountName ? { account_name: own.accountName } : {}
}

const end = ({ db }: House, id: number, fields: Partial<typeof googleAccounts.$inferInsert>) =>
  db
    .update(googleAccounts)
    .set({ ...fields, sync_ended_at: sql`now()` })
    .where(eq(googleAccounts.id, id))

/** Once a week; a sync is none the worse without. */
async function readCategories(house: House, accountId: number) {
  const regions = await house.db
    .selectDistinct({ code: googleLocations.region_code })
    .from(googleLocations)
    .where(eq(googleLocations.account_id, accountId))
  for (const { code } of regions)
    try {
      await keepCategories(house, asking(house, accountId), code)
    } catch (error) {
      house.log.warn({ region: code, reason: wordsOf(error) ?? String(error) }, 'categories were not read')
    }
}
