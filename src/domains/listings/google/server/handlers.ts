import { implementContract } from '#domains/app-context.ts'
import { buildRedirectUri, oauthScopes } from '#integrations/google/tokens.ts'
import { googleLocationsContract } from '../contract.ts'
import { linkAccount, startAccountLink, unlinkAccount } from './account-linking.ts'
import { findMissingSettings, findOAuthClient, requireOAuthClient } from './google-access.ts'
import { queueAllSyncs } from './jobs.ts'
import { previewLocationChanges, readAvailableCategories, saveLocation } from './mutations.ts'
import { readGoogleAccounts, readLocationsPage } from './queries.ts'

export const googleLocationsHandlers = implementContract(googleLocationsContract, {
  list: ({ db, query }) => readLocationsPage(db, query),

  check: async ({ context, params, body }) => ({ changes: await previewLocationChanges(context, params.id, body) }),

  update: ({ context, actor, params, body }) => saveLocation(context, actor, params.id, body),

  categories: async ({ context, params, query }) => ({
    categories: await readAvailableCategories(context, params.id, query.search),
  }),

  accounts: ({ db, me }) => readGoogleAccounts(db, me),

  authUrl: async ({ context, me }) => ({ auth_url: await startAccountLink(context, me) }),

  link: async ({ db, body, ...by }) => {
    const [account] = await readGoogleAccounts(db, by.me, await linkAccount(by, body.code, body.state))
    return account
  },

  unlink: async ({ params, ...by }) => {
    await unlinkAccount(by, params.id)
  },

  sync: async ({ context, db }) => {
    await requireOAuthClient(context)
    return db.transaction(async (tx) => {
      await queueAllSyncs(context, tx)
    })
  },

  connection: async ({ context }) => ({
    missing: (await findOAuthClient(context)) ? [] : findMissingSettings(context),
    redirect_address: buildRedirectUri(context.settings),
    scopes: [...oauthScopes],
  }),
})
