import { eq, sql } from 'drizzle-orm'
import { countOf } from '#contract/count-of.ts'
import { notFoundError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { countCompaniesAndNumbers, listAccounts } from '#integrations/callrail/api.ts'
import { GoogleClient } from '#integrations/google/connection.ts'
import { checkClient } from '#integrations/google/tokens.ts'
import { LegacyServer } from '#integrations/legacy/legacy-server.ts'
import { describeMailFailure, signInToMailServer } from '#integrations/smtp/smtp.ts'
import type { TestedConnection } from '../contract.ts'
import { connectionsTable } from '../schema.ts'
import { nameAccounts } from './callrail-account.ts'
import { describeFailure } from './describe-failure.ts'
import { readConnection, readConnectionSecret } from './queries.ts'
import { type ConnectionOutcome, recordConnectionUse } from './record-use.ts'

/** Signs in to the service, records what it answered, and returns it. */
export async function testConnection(context: AppContext, id: number): Promise<TestedConnection> {
  const { db } = context
  const connection = await readConnection(db, context, id)
  const attempt: Attempt = { context, id, accountId: connection.account?.id ?? '', address: connection.address ?? '' }
  const { outcome, as, found } = await attempts[connection.kind](attempt)
  await recordConnectionUse(db, id, outcome)
  await db.update(connectionsTable).set({ tested_at: sql`now()` }).where(eq(connectionsTable.id, id))
  return { ok: outcome.state === 'works', says: outcome.says ?? '', as, found }
}

type Attempt = { context: AppContext; id: number; accountId: string; address: string }
type Attempted = {
  outcome: ConnectionOutcome
  as: TestedConnection['as']
  found: TestedConnection['found']
}

const failed = (outcome: ConnectionOutcome): Attempted => ({ outcome, as: null, found: {} })
const requireSecret = <Secret>(secret: Secret | null): Secret => {
  if (secret === null) throw notFoundError() // removed since
  return secret
}

const attempts = {
  callrail: async ({ context, id, accountId }) => {
    const { api_key } = requireSecret(await readConnectionSecret(context, 'callrail', id))
    const key = { apiUrl: context.settings.CALLRAIL_API_URL, apiKey: api_key }
    try {
      const seen = await listAccounts(key)
      const account = seen.accounts.find((one) => one.id === accountId)
      if (!account)
        return failed({
          state: 'refused',
          says: `This key does not see the account ${accountId}. It sees ${nameAccounts(seen) || 'no account'}`,
        })
      const found = await countCompaniesAndNumbers({ ...key, accountId })
      const says = `${account.name}: ${countOf(found.companies, 'company', 'companies')}, ${countOf(found.numbers, 'number')}`
      return { outcome: { state: 'works', says, account }, as: account, found }
    } catch (error) {
      return failed(describeFailure(error))
    }
  },

  smtp: async ({ context, id, address }) => {
    const { url } = requireSecret(await readConnectionSecret(context, 'smtp', id))
    try {
      const user = await signInToMailServer(url)
      const says = `Reached ${new URL(address).host}${user === null ? ' without signing in' : `, signed in as ${user}`}`
      return { outcome: { state: 'works', says }, as: user === null ? null : { id: user, name: user }, found: {} }
    } catch (error) {
      return failed(describeMailFailure(error))
    }
  },

  google: async ({ context, id }) => {
    const client = requireSecret(await readConnectionSecret(context, 'google', id))
    try {
      await checkClient(new GoogleClient(context.outbound, context.settings), client)
      const says = 'Google knows this client. Accounts are linked in the GMB Manager'
      return { outcome: { state: 'works', says }, as: { id: client.client_id, name: client.client_id }, found: {} }
    } catch (error) {
      return failed(describeFailure(error, 'Google'))
    }
  },

  legacy: async ({ context, id, address }) => {
    const { token } = requireSecret(await readConnectionSecret(context, 'legacy', id))
    try {
      const server = new LegacyServer(context.outbound, { address, token }, { tries: 1 })
      const { id: userId, name } = await server.readUser()
      const user = { id: userId, name }
      return { outcome: { state: 'works', says: `Signed in as ${user.name}`, account: user }, as: user, found: {} }
    } catch (error) {
      return failed(describeFailure(error, 'The old system'))
    }
  },
} satisfies Record<string, (attempt: Attempt) => Promise<Attempted>>
