import { createRemoteToken, findRemoteToken } from '#domains/access/server/session-tokens.ts'
import type { AppContext } from '#domains/app-context.ts'

/** Returns the link that signs the client's account in. Customers in the demo have no password. */
export async function getCustomerLink({ db, secrets, settings }: AppContext, userId: number): Promise<string> {
  const token = (await findRemoteToken(db, secrets, userId)) ?? (await createRemoteToken(db, secrets, userId))
  return `${settings.PUBLIC_URL}/?token=${token}`
}
