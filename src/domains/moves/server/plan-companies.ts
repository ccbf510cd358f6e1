import { foldName } from './legacy-values.ts'
import type { CompanyPayload } from './link-keys.ts'
import { type HereThing, type LinkKeys, type PlannedLink, type PlannedThing, planLinks } from './plan-links.ts'

export type PlannedCompany = { thing: PlannedThing; name: string; payload: CompanyPayload }
/** A campaign or a client that another system of the same plan brings. */
export type PlannedOther = { key: string; label: string; keys: LinkKeys; link: PlannedLink }
/** The client of a new campaign: a row here, the item that brings it, or null for a new one. */
type CompanyClient = { id: number | string; label: string } | null
type CompanyLink = PlannedLink & { client: CompanyClient; choice: 'skip' | null }

/** What companies may become a part of, beside each other: rows here, and what other systems of the plan bring. */
type CompanyTargets = {
  /** As things of the kind `callrail_company`. */
  campaigns: readonly HereThing[]
  clients: readonly HereThing[]
  planned: { campaigns: readonly PlannedOther[]; clients: readonly PlannedOther[] }
}

/**
 * Decides which campaign each company of CallRail belongs to, or that it makes one. A campaign that another system of the plan brings, or a
 * company of another account, is as good as one that is here. A company that is switched off is left out, unless its id is known.
 */
export function planCompanies(
  accounts: readonly PlannedCompany[][],
  targets: CompanyTargets,
): Map<string, CompanyLink> {
  const campaigns = new Map(targets.campaigns.map((one) => [one.id, one]))
  for (const one of targets.planned.campaigns) joinTarget(campaigns, one)
  const findClient = createClientFinder(targets)
  const links = new Map<string, CompanyLink>()
  for (const companies of accounts) {
    const known = [...campaigns.values()]
    for (const isActive of [true, false]) {
      const some = companies.filter(({ payload }) => payload.is_active === isActive)
      const planned = planLinks(
        some.map(({ thing }) => thing),
        known,
      )
      for (const company of some) {
        const link = planned.get(company.thing.key)!
        links.set(company.thing.key, toCompanyLink(company, link, findClient(company.name)))
        if (isActive) joinTarget(campaigns, { key: company.thing.key, label: company.name, keys: company.thing, link })
      }
    }
  }
  return links
}

/** What is the same as a campaign is found by its keys too; what is new is found like one that is here. */
function joinTarget(campaigns: Map<number | string, HereThing>, { key, label, keys, link }: PlannedOther): void {
  const same = link.to === null ? undefined : campaigns.get(link.to.id)
  if (same)
    campaigns.set(same.id, {
      ...same,
      ids: [...same.ids, ...keys.ids],
      domains: [...new Set([...same.domains, ...keys.domains])],
      phones: [...new Set([...same.phones, ...keys.phones])],
      otherNames: [...(same.otherNames ?? []), keys.name],
    })
  else if (link.becomes === 'new') {
    const { ids, domains, phones, name, city } = keys
    const words = { labelKind: 'campaign', labelKinds: 'campaigns' }
    campaigns.set(key, { ...{ ids, domains, phones, name, city }, ...words, id: key, kind: 'callrail_company', label })
  }
}

/** Finds the one client of a name. */
function createClientFinder({ clients, planned }: CompanyTargets): (name: string) => CompanyClient {
  const fresh = planned.clients
    .filter(({ link }) => link.becomes === 'new')
    .map(({ key, label }) => ({ id: key, label }))
  const byName = Map.groupBy([...clients, ...fresh], ({ label }) => foldName(label))
  return (name) => {
    const [only, ...others] = byName.get(foldName(name)) ?? []
    return only && others.length === 0 ? { id: only.id, label: only.label } : null
  }
}

function toCompanyLink({ payload }: PlannedCompany, link: PlannedLink, client: CompanyClient): CompanyLink {
  const isKnown = link.by === 'moved' || link.by === 'id'
  if (!payload.is_active && !isKnown)
    return {
      ...link,
      ...{ becomes: 'new', to: null, by: null, client, choice: 'skip' },
      reason: 'Switched off in CallRail: it is left out unless you choose otherwise',
    }
  if (link.becomes !== 'new') return { ...link, client, choice: null }
  return { ...link, client, choice: null, reason: describeNewCompany(payload, client) }
}

/** What a company becomes that is nothing here. */
function describeNewCompany({ url }: CompanyPayload, client: CompanyClient): string {
  const start =
    client === null
      ? 'Nothing here is the same: it becomes a client and a campaign'
      : `Becomes a campaign of the client ${client.label}`
  return url === null
    ? `${start}. CallRail knows no website of it, so its calls stay unassigned until you add a client site`
    : `${start} with the client site ${url}`
}
