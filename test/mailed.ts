import { asc, eq } from 'drizzle-orm'
import { audit } from '#core/db/schema.ts'
import { randomToken, sha256 } from '#core/secrets/secrets.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { type RatingForm, rating } from '#domains/leads/rating/contract.ts'
import { ratingKeys } from '#domains/leads/rating/schema.ts'
import type { App, Caller } from '#test/app.ts'

let addresses = 0
/**
 * A lead whose mail somebody holds, and what they can do with its key. Each comes from an address of its own, where the app
 * trusts the proxy that says so.
 */
export async function mailed(app: App, values: Partial<typeof leads.$inferInsert> = {}, life = 180) {
  const lead = await app.make.lead(values)
  const key = randomToken(128)
  const expires_at = new Date(Date.now() + life * 86_400_000)
  const [kept] = await app.house.db
    .insert(ratingKeys)
    .values({ lead_id: lead.id, campaign_id: lead.campaign_id, key_hash: sha256(key), expires_at })
    .returning()
  addresses += 1
  const headers = { 'x-forwarded-for': `198.51.100.${addresses}` }
  const params = { leadId: lead.id }
  const query = { auth_key: key }
  const save = (body: RatingForm, who: Caller = app.guest) => who.call(rating.save, { params, query, body, headers })
  return {
    id: lead.id,
    key,
    keyId: kept!.id,
    get: () => app.guest.call(rating.get, { params, query, headers }),
    save,
    /** A star link was opened: the page saves by itself. */
    star: (stars: '1' | '2' | '3' | '4' | '5') => save({ rating: stars, auto: true }),
    notLead: () => save({ progress: 5, auto: true }),
    trap: () => save({ trap: true, auto: true }),
    row: async () => (await app.house.db.select().from(leads).where(eq(leads.id, lead.id)))[0]!,
    trail: () => app.house.db.select().from(audit).where(eq(audit.row_id, lead.id)).orderBy(asc(audit.id)),
    /** As if everything so far had been that long ago. */
    wait: (seconds: number) =>
      app.house.pool.query(
        `update rating_saves set at = at - ${seconds} * interval '1 second' where lead_id = ${lead.id}`,
      ),
  }
}
