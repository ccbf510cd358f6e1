import { asc, eq } from 'drizzle-orm'
import { auditTable } from '#core/db/schema.ts'
import { hashSha256, randomToken } from '#core/secrets/secrets.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type RatingFormInput, ratingContract } from '#domains/leads/rating/contract.ts'
import { ratingKeysTable } from '#domains/leads/rating/schema.ts'
import type { App, Caller } from '#test/app.ts'
import { earlier } from '#test/earlier-time.ts'

let addresses = 0
/**
 * Creates a lead with the rating key of its mail, and returns what a recipient can do with it. Each lead uses its own IP
 * address, if the app trusts its proxy.
 */
export async function makeMailedLead(
  app: App,
  values: Partial<typeof leadsTable.$inferInsert> = {},
  { life = 180, sentSecondsAgo = 3600 } = {},
) {
  const lead = await app.make.lead(values)
  const key = randomToken(128)
  const expires_at = new Date(Date.now() + life * 86_400_000)
  const [kept] = await app.context.db
    .insert(ratingKeysTable)
    .values({
      lead_id: lead.id,
      campaign_id: lead.campaign_id,
      key_hash: hashSha256(key),
      created_at: new Date(Date.now() - sentSecondsAgo * 1000),
      expires_at,
    })
    .returning()
  addresses += 1
  const headers = { 'x-forwarded-for': `198.51.100.${addresses}` }
  const params = { leadId: lead.id }
  const query = { auth_key: key }
  const save = (body: RatingFormInput, who: Caller = app.guest) =>
    who.call(ratingContract.save, { params, query, body, headers })
  return {
    id: lead.id,
    key,
    keyId: kept!.id,
    get: () => app.guest.call(ratingContract.get, { params, query, headers }),
    save,
    /** Saves as the page does when a star link is opened. */
    star: (stars: '1' | '2' | '3' | '4' | '5') => save({ rating: stars, auto: true }),
    /** Confirms, as the page does, that a person sees the star. */
    see: (stars: '1' | '2' | '3' | '4' | '5') => save({ rating: stars, auto: true, seen: true }),
    /** Says, as the page does, that it was open for ten seconds and no one has used it. */
    idle: (stars: '1' | '2' | '3' | '4' | '5') => save({ rating: stars, auto: true, seen: true, idle: true }),
    notLead: () => save({ progress: 5, auto: true }),
    trap: () => save({ trap: true, auto: true }),
    row: async () => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, lead.id)))[0]!,
    trail: () =>
      app.context.db.select().from(auditTable).where(eq(auditTable.row_id, lead.id)).orderBy(asc(auditTable.id)),
    /** Moves the mail and all saves so far into the past. */
    wait: (seconds: number) =>
      app.context.pool.query(
        `with mail as (
           update rating_keys set created_at = ${earlier('created_at', seconds)} where lead_id = ${lead.id}
         )
         update rating_saves set at = ${earlier('at', seconds)} where lead_id = ${lead.id}`,
      ),
  }
}
