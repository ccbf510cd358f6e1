import type { House } from '#core/app-context.ts'
import { newRemoteToken, remoteTokenOf } from '#domains/access/server/session-tokens.ts'

/** The link that signs the client's account in. Customers have no password here: the link, or the client login site. */
export async function customerLink({ db, secrets, settings }: House, userId: number): Promise<string> {
  const token = (await remoteTokenOf(db, secrets, userId)) ?? (await newRemoteToken(db, secrets, userId))
  return `${settings.PUBLIC_URL}/?token=${token}`
}
