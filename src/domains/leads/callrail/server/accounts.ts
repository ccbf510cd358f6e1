import { eq, or } from 'drizzle-orm'
import type { AppContext } from '#domains/app-context.ts'
import { listConnections, readConnectionSecret } from '#domains/connections/public.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import type { CallRailAccount } from '#integrations/callrail/api.ts'
import { callRailCompaniesTable } from '../schema.ts'

/** An account with the connection that reads it. */
export type ConnectedAccount = CallRailAccount & { connectionId: number; source: 'screen' | 'environment'; since: Date }

/** Returns every connected account of CallRail, the environment's among them. */
export async function listCallRailAccounts(context: AppContext): Promise<ConnectedAccount[]> {
  const accounts: ConnectedAccount[] = []
  for (const { id, account_id, source, created_at } of await listConnections(context, 'callrail')) {
    const secret = await readConnectionSecret(context, 'callrail', id)
    if (account_id !== null && secret)
      accounts.push({
        ...{ accountId: account_id, apiKey: secret.api_key, apiUrl: context.settings.CALLRAIL_API_URL },
        ...{ connectionId: id, source, since: created_at },
      })
  }
  return accounts
}

/** Returns the account that has a company, by its id or older number; null if that is not known. */
export async function findAccountOfCompany(context: AppContext, company: string): Promise<ConnectedAccount | null> {
  const accounts = await listCallRailAccounts(context)
  if (accounts.length < 2) return accounts[0] ?? null
  const { company_id, number, account_id } = callRailCompaniesTable
  const [listed] = await context.db
    .select({ account_id })
    .from(callRailCompaniesTable)
    .where(or(eq(company_id, company), eq(number, company)))
  return accounts.find(({ accountId }) => accountId === listed?.account_id) ?? null
}

/** Returns the account that a lead came from; null if that is not known. */
export async function findAccountOfLead(
  context: AppContext,
  { origin, siteId }: { origin: string; siteId: number | null },
): Promise<ConnectedAccount | null> {
  const { id, callrail_campaign_identifier } = clientSitesTable
  const [site] = await context.db
    .select({ company: callrail_campaign_identifier })
    .from(clientSitesTable)
    .where(eq(id, siteId ?? Number(/^site\/(\d+)$/.exec(origin)?.[1] ?? 0)))
  return findAccountOfCompany(context, site?.company ?? /^company\/(.+)$/.exec(origin)?.[1] ?? '')
}
