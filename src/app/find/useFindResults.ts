import { useRouter } from '@tanstack/react-router'
import { staffOnly } from '#contract/allow.ts'
import { useCurrentUser } from '#domains/access/ui/current-user.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { clientsContract, getClientRows } from '#domains/clients/contract.ts'
import { importsContract } from '#domains/imports/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import type { SearchParams } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { menuGroups } from '../ui/menu.tsx'

/** A place to go to. `kind` is how it is called in the list. */
export type FindResult = { kind: string; label: string; detail?: string | undefined; to: string; search: SearchParams }
export const getResultKey = ({ to, search }: FindResult) => `${to} ${JSON.stringify(search)}`

const maxResultsPerKind = 6

/** What a person may go to that has these words; everything is asked of the calls that the screens themselves use. */
export function useFindResults(words: string): { places: FindResult[]; searching: boolean } {
  const me = useCurrentUser()
  const { routesByPath } = useRouter()
  const has = (path: string) => path in routesByPath
  const text = words.trim()
  const isSearch = text.length >= 2
  const people = useApi(
    leadsContract.list,
    { query: { lead_search: text, per_page: maxResultsPerKind, page: 1 } },
    { enabled: isSearch && leadsContract.list.allow(me), quiet: true, keepPrevious: true },
  )
  const named = useApi(campaignsContract.all, undefined, { enabled: isSearch, quiet: true })
  const mayClients = clientsContract.list.allow(me) && has('/clients') && me?.permissions.clients === true
  const customers = useApi(
    clientsContract.list,
    { query: { search: text, per_page: maxResultsPerKind, page: 1 } },
    { enabled: isSearch && mayClients, quiet: true, keepPrevious: true },
  )
  const maySites = clientSitesContract.all.allow(me) && has('/client-sites')
  const sites = useApi(clientSitesContract.all, undefined, { enabled: isSearch && maySites, quiet: true })

  const matches = (...texts: (string | undefined)[]) =>
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => texts.some((one) => one?.toLowerCase().includes(word)))
  const screens: FindResult[] = menuGroups
    .flatMap(({ entries }) => entries)
    .filter(({ flag, path, label }) => me?.permissions[flag] && has(path) && matches(label))
    .map(({ path, label }) => ({ kind: 'Screen', label, to: path, search: {} }))
  // Not in the menu: lists lead to it.
  if (importsContract.list.allow(me) && matches('Import'))
    screens.push({ kind: 'Screen', label: 'Import', to: '/import', search: {} })
  if (staffOnly(me) && matches('API & Webhooks', 'Integrations'))
    screens.push({ kind: 'Screen', label: 'API & Webhooks', to: '/integrations', search: {} })
  if (!isSearch) return { places: screens, searching: false }

  const leadsOf = (id: number) => ({
    to: me?.permissions.leads ? '/leads' : '/leads/archive',
    search: { campaign_ids: String(id) } satisfies SearchParams,
  })
  const inTheList = (name: string) => ({ to: '/campaigns', search: { q: name } satisfies SearchParams })
  const mayCampaigns = me?.isAdmin === true && me.permissions.campaigns && has('/campaigns')
  const ofCampaigns: FindResult[] = (named.data ?? [])
    .filter(({ name, client }) => matches(name, client?.name))
    .slice(0, maxResultsPerKind)
    .map(({ id, name, client, archived }): FindResult => {
      const place: Pick<FindResult, 'to' | 'search'> = mayCampaigns && !archived ? inTheList(name) : leadsOf(id)
      return { kind: 'Campaign', label: name, detail: archived ? 'Archived' : client?.name, ...place }
    })
  const ofClients: FindResult[] = getClientRows(customers.data).map(({ name }) => ({
    kind: 'Client',
    label: name,
    to: '/clients',
    search: { search: name },
  }))
  const ofLeads: FindResult[] = (people.data?.data ?? []).map((lead) => ({
    kind: 'Lead',
    label: lead.lead_name ?? lead.lead_phone ?? lead.lead_email ?? `No. ${lead.id}`,
    detail: [lead.lead_phone ?? lead.lead_email, lead.campaign_name].filter(Boolean).join(' · '),
    to: `/lead/${lead.id}`,
    search: {},
  }))
  const ofSites: FindResult[] = (sites.data ?? [])
    .filter(({ url }) => matches(url))
    .slice(0, maxResultsPerKind)
    .map(({ url }) => ({ kind: 'Client site', label: url, to: '/client-sites', search: { url } }))
  return {
    places: [...screens, ...ofCampaigns, ...ofClients, ...ofLeads, ...ofSites],
    searching: people.isFetching || customers.isFetching,
  }
}
