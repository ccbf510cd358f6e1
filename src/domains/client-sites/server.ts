import { and, asc, eq, isNull } from 'drizzle-orm'
import { record } from '#server/audit.ts'
import type { Queries } from '#server/db.ts'
import { notFound } from '#server/errors.ts'
import type { House } from '#server/house.ts'
import { implement } from '#server/implement.ts'
import type { Me } from '#server/me.ts'
import { inTheirCampaigns } from '#server/scope.ts'
import { randomToken } from '#server/secrets.ts'
import { clientSites as contract } from './contract.ts'
import { clientSites, hookKeyPlace } from './table.ts'

export const clientSitesCalls = implement(contract, {
  all: ({ db, me }) =>
    db
      .select({ id: clientSites.id, url: clientSites.url, campaign_id: clientSites.campaign_id })
      .from(clientSites)
      .where(visibleTo(me))
      .orderBy(asc(clientSites.url), clientSites.id),

  hook: async ({ db, me, params, house }) => {
    const site = await findSite(db, me, params.id)
    return addresses(house, site.id, site.hook_key && house.secrets.open(site.hook_key, hookKeyPlace(site.id)))
  },

  newHookKey: ({ db, me, params, house, actor }) =>
    db.transaction(async (tx) => {
      const site = await findSite(tx, me, params.id)
      const key = randomToken()
      await tx
        .update(clientSites)
        .set({ hook_key: house.secrets.seal(key, hookKeyPlace(site.id)) })
        .where(eq(clientSites.id, site.id))
      await record(tx, actor, {
        kind: 'client site',
        rowId: site.id,
        before: { hook_key: site.hook_key ? 'old' : null },
        after: { hook_key: 'changed' },
      })
      return addresses(house, site.id, key)
    }),
})

const visibleTo = (me: Me) => and(isNull(clientSites.deleted_at), inTheirCampaigns(me, clientSites.campaign_id))

async function findSite(db: Queries, me: Me, id: number) {
  const [site] = await db
    .select({ id: clientSites.id, hook_key: clientSites.hook_key })
    .from(clientSites)
    .where(and(eq(clientSites.id, id), visibleTo(me)))
  if (!site) throw notFound()
  return site
}

const addresses = ({ settings }: House, id: number, key: string | null) => ({
  callrail_url: `${settings.PUBLIC_URL}/api/hooks/callrail`,
  formidable_url: `${settings.PUBLIC_URL}/api/hooks/formidable/${id}`,
  key,
})
