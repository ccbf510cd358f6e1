import { eq, sql } from 'drizzle-orm'
import { remoteTokens } from '#domains/session/table.ts'
import type { House } from '#server/house.ts'
import { randomToken, sha256 } from '#server/secrets.ts'

const place = (userId: number) => `remote_tokens.token_encrypted:${userId}`

/** The link that signs the client's account in. Customers have no password here: the link, or the client login site. */
export async function customerLink({ db, secrets, settings }: House, userId: number): Promise<string> {
  const [kept] = await db
    .select()
    .from(remoteTokens)
    .where(sql`${eq(remoteTokens.user_id, userId)} and ${remoteTokens.expires_at} > now() + interval '1 day'`)
  const token = kept ? secrets.open(kept.token_encrypted, place(userId)) : randomToken()
  if (!kept) {
    const fresh = {
      token_hash: sha256(token),
      token_encrypted: secrets.seal(token, place(userId)),
      expires_at: new Date(Date.now() + 90 * 86_400_000),
    }
    await db
      .insert(remoteTokens)
      .values({ user_id: userId, ...fresh })
      .onConflictDoUpdate({ target: remoteTokens.user_id, set: fresh })
  }
  return `${settings.PUBLIC_URL}/?token=${token}`
}
