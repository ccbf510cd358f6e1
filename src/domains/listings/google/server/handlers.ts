import { implement } from '#core/http/handle.ts'
import { missingSettings } from '#integrations/google/connection.ts'
import { redirectAddress, scopes } from '#integrations/google/tokens.ts'
import { googleLocations as contract } from '../contract.ts'
import { beginLink, link, unlink } from './account-linking.ts'
import { expectConnected } from './google-access.ts'
import { syncSoon } from './jobs.ts'
import { categoriesFor, checkLocation, saveLocation } from './mutations.ts'
import { accountsFor, locationsPage } from './queries.ts'

export const googleLocationsCalls = implement(contract, {
  list: ({ db, query }) => locationsPage(db, query),

  check: async ({ house, params, body }) => ({ changes: await checkLocation(house, params.id, body) }),

  update: ({ house, actor, params, body }) => saveLocation(house, actor, params.id, body),

  categories: async ({ house, params, query }) => ({ categories: await categoriesFor(house, params.id, query.search) }),

  accounts: ({ db, me }) => accountsFor(db, me),

  authUrl: async ({ house, me }) => ({ auth_url: await beginLink(house, me) }),

  link: async ({ db, body, ...by }) => {
    const [account] = await accountsFor(db, by.me, await link(by, body.code, body.state))
    return account
  },

  unlink: async ({ params, ...by }) => {
    await unlink(by, params.id)
    return undefined
  },

  sync: ({ house, db }) => {
    expectConnected(house)
    return db.transaction(async (tx) => {
      await syncSoon(house, tx)
      return undefined
    })
  },

  connection: ({ house: { settings } }) => ({
    missing: missingSettings(settings),
    redirect_address: redirectAddress(settings),
    scopes: [...scopes],
  }),
})
