import { useRouter } from '@tanstack/react-router'
import { formatPhone } from '#contract/phones.ts'
import { buildRecordPath } from '#contract/record-paths.ts'
import { useCurrentUser } from '#domains/access/ui/current-user.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { clientsContract, getClientRows } from '#domains/clients/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { getLeadName } from '#domains/leads/labels.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { networkSitesContract } from '#domains/sites/network/contract.ts'
import type { SearchParams } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { mayOpenEntry, menuEntries } from '../ui/menu.ts'
import { declaredScreens } from '../ui/parts.ts'

/** A place to go to. `kind` is its label in the list. */
export type FindResult = { kind: string; label: string; detail?: string | undefined; to: string; search: SearchParams }
export const getResultKey = ({ to, search }: FindResult) => `${to} ${JSON.stringify(search)}`

const maxResultsPerKind = 6

type FoundPlaces = { places: FindResult[]; searching: boolean; error: Error | undefined }

/** Returns the places that match these words and that the person may open, from the same endpoints as the screens. */
export function useFindResults(words: string): FoundPlaces {
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
  const maySites = clientSitesContract.get.allow(me)
  const sites = useApi(clientSitesContract.all, undefined, { enabled: isSearch && maySites, quiet: true })

  const networkSites = useApi(
    networkSitesContract.list,
    { query: { url: text, per_page: maxResultsPerKind } },
    { enabled: isSearch && networkSitesContract.list.allow(me), quiet: true, keepPrevious: true },
  )
  const listings = useApi(
    gmbsContract.list,
    { query: { search: text, per_page: maxResultsPerKind } },
    { enabled: isSearch && gmbsContract.list.allow(me), quiet: true, keepPrevious: true },
  )

  const matches = (...texts: (string | undefined)[]) =>
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => texts.some((one) => one?.toLowerCase().includes(word)))
  const screens: FindResult[] = menuEntries
    .filter((entry) => me && mayOpenEntry(me, entry) && has(entry.path) && matches(entry.label))
    .map(({ path, label }) => ({ kind: 'Screen', label, to: path, search: {} }))
  for (const { path, allow, find } of declaredScreens)
    if (find && allow(me) && matches(...find)) screens.push({ kind: 'Screen', label: find[0], to: path, search: {} })
  if (!isSearch) return { places: screens, searching: false, error: undefined }

  const ofCampaigns: FindResult[] = (named.data ?? [])
    .filter(({ name, client }) => matches(name, client?.name))
    .slice(0, maxResultsPerKind)
    .map(({ id, name, client, archived }) => ({
      kind: 'Campaign',
      label: name,
      detail: archived ? 'Archived' : client?.name,
      to: buildRecordPath('campaign', id),
      search: {},
    }))
  const ofClients: FindResult[] = getClientRows(customers.data).map(({ id, name }) => ({
    kind: 'Client',
    label: name,
    to: buildRecordPath('client', id),
    search: {},
  }))
  const ofLeads: FindResult[] = (people.data?.data ?? []).map((lead) => ({
    kind: 'Lead',
    label: getLeadName(lead),
    detail: [lead.lead_phone ? formatPhone(lead.lead_phone) : lead.lead_email, lead.campaign_name]
      .filter(Boolean)
      .join(' · '),
    to: buildRecordPath('lead', lead.id),
    search: {},
  }))
  const ofSites: FindResult[] = (sites.data ?? [])
    .filter(({ url }) => matches(url))
    .slice(0, maxResultsPerKind)
    .map(({ id, url }) => ({ kind: 'Client site', label: url, to: buildRecordPath('client_site', id), search: {} }))
  const ofNetworkSites: FindResult[] = (networkSites.data?.data ?? []).map(({ id, url, category }) => ({
    kind: 'Network site',
    label: url,
    detail: category,
    to: buildRecordPath('network_site', id),
    search: {},
  }))
  const ofListings: FindResult[] = (listings.data?.data ?? []).map(({ id, title, campaign_name }) => ({
    kind: 'Listing',
    label: title,
    detail: campaign_name,
    to: buildRecordPath('listing', id),
    search: {},
  }))
  const queries = [people, named, customers, sites, networkSites, listings]
  return {
    places: [...screens, ...ofCampaigns, ...ofClients, ...ofLeads, ...ofSites, ...ofNetworkSites, ...ofListings],
    searching: queries.some(({ isFetching }) => isFetching),
    error: queries.find(({ error }) => error)?.error ?? undefined,
  }
}
