import { and, eq, inArray } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { validationError } from '#core/http/errors.ts'
import { toInstant, toWallClock } from '#core/time/local-time.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import type { SignalWatch, SignalWatches } from '../contract.ts'
import { digestHour } from '../labels.ts'
import { getWebhookContext, userWatchesTable } from '../schema.ts'
import { findDigestClock } from './find-watch.ts'

export type StoredWatches = {
  webhook_url: string | null
  watches: SignalWatch[]
  is_default: boolean
  webhook_problem: string | null
  digest_day: string | null
}

const watchesAuditKind = 'notifications'

/** Reads a user's notification settings. */
export async function readWatches(db: DbOrTx, { secrets }: AppContext, userId: number): Promise<StoredWatches> {
  const [row] = await db.select().from(userWatchesTable).where(eq(userWatchesTable.user_id, userId))
  return {
    webhook_url: row?.webhook_url ? secrets.open(row.webhook_url, getWebhookContext(userId)) : null,
    watches: row?.watches ?? [],
    is_default: (row?.watches ?? []).length === 0,
    webhook_problem: row?.webhook_problem ?? null,
    digest_day: row?.digest_day ?? null,
  }
}

export async function saveWatches(
  tx: Tx,
  context: AppContext,
  { me, actor }: { me: CurrentUser; actor: AuditActor },
  { webhook_url, watches: wanted }: SignalWatches,
): Promise<void> {
  if (webhook_url !== null && !context.outbound.couldReach(new URL(webhook_url)))
    throw validationError({ webhook_url: ['This address cannot be reached: it is not on the public web'] })
  const before = await readWatches(tx, context, me.id)
  const watches = await keepVisibleCampaigns(tx, me, before.watches, wanted)
  const sealed = webhook_url === null ? null : context.secrets.seal(webhook_url, getWebhookContext(me.id))
  const zones = [before.watches, watches].map((of) => findDigestClock(of, context.settings.AGENCY_TIMEZONE).timezone)
  const columns = {
    watches,
    webhook_url: sealed,
    webhook_problem: null,
    updated_at: new Date(),
    digest_day: before.digest_day && moveDigestDay(before.digest_day, zones[0]!, zones[1]!),
  }
  await tx
    .insert(userWatchesTable)
    .values({ user_id: me.id, ...columns })
    .onConflictDoUpdate({ target: userWatchesTable.user_id, set: columns })
  await writeAudit(tx, actor, {
    kind: watchesAuditKind,
    rowId: me.id,
    before: { watches: before.watches, webhook: before.webhook_url !== null },
    after: {
      watches,
      webhook: webhook_url !== null,
      ...(before.webhook_url !== webhook_url ? { webhook_url: 'changed' } : {}),
    },
  })
}

/**
 * Throws 422 for a campaign that this person may not see. One that they watched before and have lost since is left out, and with it a watch
 * of nothing else.
 */
async function keepVisibleCampaigns(tx: Tx, me: CurrentUser, before: SignalWatch[], watches: SignalWatch[]) {
  const named = [...new Set(watches.flatMap(({ campaign_ids }) => campaign_ids ?? []))]
  const rows = await tx
    .select({ id: campaignsTable.id })
    .from(campaignsTable)
    .where(and(inArray(campaignsTable.id, named), inVisibleCampaigns(me, campaignsTable.id)))
  const seen = new Set(rows.map(({ id }) => id))
  const known = new Set(before.flatMap(({ campaign_ids }) => campaign_ids ?? []))
  const wrong = watches.flatMap(({ campaign_ids }, index) =>
    campaign_ids?.some((id) => !seen.has(id) && !known.has(id)) ? [index] : [],
  )
  if (wrong.length > 0)
    throw validationError(
      Object.fromEntries(wrong.map((index) => [`watches.${index}.campaign_ids`, ['There is no such campaign']])),
    )
  return watches.flatMap((watch) => {
    const campaign_ids = watch.campaign_ids?.filter((id) => seen.has(id)) ?? null
    return campaign_ids?.length === 0 && watch.campaign_ids?.length !== 0 ? [] : { ...watch, campaign_ids }
  })
}

/** Converts the day of the last digest to another time zone. Without this a user who moves west would miss the next one. */
const moveDigestDay = (day: string, from: string, to: string) =>
  toWallClock(toInstant(day, `${String(digestHour).padStart(2, '0')}:00`, from), to).day

/** Sets the local day of the last digest. */
export const saveDigestDay = (tx: Tx, userId: number, digest_day: string) =>
  tx
    .insert(userWatchesTable)
    .values({ user_id: userId, digest_day })
    .onConflictDoUpdate({ target: userWatchesTable.user_id, set: { digest_day } })
