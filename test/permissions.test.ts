import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { allEndpoints } from '#app/server/parts.ts'
import {
  type AccessSubject,
  handlerFlags,
  type PermissionFlag,
  type Permissions,
  permissionFlags,
} from '#contract/allow.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { sessionsTable } from '#domains/access/schema.ts'
import { spammersTable } from '#domains/leads/spam/schema.ts'
import { type App, type Caller, caller, setUp, startApp } from '#test/app.ts'

/**
 * Checks the permission matrix, row by row, against the contract and against the running app. `permissions.csv` is the product's
 * specification; `ours` has the endpoints that it lacks, with the roles that may call them.
 */
type Role = 'guest' | 'customer' | 'leads_handler' | 'admin' | 'super_admin'
type Row = Record<'method' | 'path' | Role | 'flag', string>

const written: Row[] = parse(readFileSync(join(import.meta.dirname, 'permissions.csv')), { columns: true })

const only = (method: string, path: string, cells: Partial<Row>): Row => ({
  method,
  path,
  guest: '401',
  customer: '403',
  leads_handler: '403',
  admin: '403',
  super_admin: 'yes',
  flag: 'none',
  ...cells,
})
const everyRole = (cell: string): Partial<Row> => ({
  guest: cell,
  customer: cell,
  leads_handler: cell,
  admin: cell,
  super_admin: cell,
})
/**
 * A cell says what a role needs: `yes`, `flag` (one of the pages in `flag`), `row` (a campaign of theirs), `flag+row`, `own`,
 * `key` or `signature`, or the status of its refusal. Anything a row leaves out is refused, except to super admins.
 */
const ours: Row[] = [
  only('POST', 'user/client-login', { guest: 'yes', customer: 'yes', leads_handler: 'yes', admin: 'yes' }),
  only('POST', 'user/forgot', { guest: 'yes', customer: 'yes', leads_handler: 'yes', admin: 'yes' }),
  only('POST', 'user/reset/check', { guest: 'yes', customer: 'yes', leads_handler: 'yes', admin: 'yes' }),
  only('POST', 'user/reset', { guest: 'yes', customer: 'yes', leads_handler: 'yes', admin: 'yes' }),
  only('POST', 'admin/admins/{id}/invite', { admin: 'flag', flag: 'admin_pages' }),
  only('POST', 'leads-handlers/{id}/invite', { admin: 'flag', flag: 'leads_handlers' }),
  only('GET', 'user/sessions', { customer: 'own', leads_handler: 'own', admin: 'own', super_admin: 'own' }),
  only('DELETE', 'user/sessions/{id}', { customer: 'own', leads_handler: 'own', admin: 'own', super_admin: 'own' }),
  only('PUT', 'user/settings', { customer: 'own', leads_handler: 'own', admin: 'own', super_admin: 'own' }),
  only('POST', 'admin/{id}/see-as', { admin: 'flag', flag: 'admin_pages or leads_handlers or clients' }),
  only('GET', 'access/why', { admin: 'flag', flag: 'admin_pages' }),
  only('GET', 'lead/{id}/readers', { admin: 'flag+row', flag: 'admin_pages' }),
  only('POST', 'user/saveTable', { customer: 'own', leads_handler: 'own', admin: 'own', super_admin: 'own' }),
  only('GET', 'client/export', { admin: 'flag+row', flag: 'clients or campaigns' }),
  only('GET', 'campaigns/export', { admin: 'flag+row', flag: 'campaigns' }),
  only('GET', 'campaigns/archived/export', { admin: 'flag+row', flag: 'campaigns' }),
  only('GET', 'campaigncategory/{id}/template', { admin: 'flag', flag: 'campaignCategories or campaigns' }),
  only('PUT', 'campaigncategory/{id}/template', { admin: 'flag', flag: 'campaignCategories' }),
  only('POST', 'campaign/{id}/area/make', { admin: 'flag+row', flag: 'campaigns' }),
  only('GET', 'campaign/area/places', { admin: 'flag', flag: 'campaigns' }),
  only('GET', 'campaign/{id}/handover', { admin: 'flag+row', flag: 'campaigns' }),
  only('POST', 'campaign/{id}/test-lead', { admin: 'flag+row', flag: 'campaigns' }),
  only('GET', 'campaign/{id}/terms', { admin: 'flag+row', flag: 'campaigns' }),
  only('PUT', 'campaign/{id}/terms', { admin: 'flag+row', flag: 'campaigns' }),
  only('GET', 'statements', { admin: 'flag+row', flag: 'campaigns' }),
  only('GET', 'statements/export', { admin: 'flag+row', flag: 'campaigns' }),
  only('GET', 'statements/{id}', { admin: 'flag+row', flag: 'campaigns' }),
  only('GET', 'statements/sums', { admin: 'flag+row', flag: 'campaigns' }),
  only('GET', 'statements/send-batch', { admin: 'flag+row', flag: 'campaigns' }),
  only('POST', 'statements/send-batch', { admin: 'flag+row', flag: 'campaigns' }),
  only('POST', 'statements/{id}/send', { admin: 'flag+row', flag: 'campaigns' }),
  only('POST', 'statements/{id}/mail', { admin: 'flag+row', flag: 'campaigns' }),
  only('POST', 'statements/{id}/paid', { admin: 'flag+row', flag: 'campaigns' }),
  only('POST', 'statements/{id}/key', { admin: 'flag+row', flag: 'campaigns' }),
  only('DELETE', 'statements/{id}/key', { admin: 'flag+row', flag: 'campaigns' }),
  only('GET', 'statement/{key}', everyRole('key')),
  only('GET', 'statement/{key}.pdf', everyRole('key')),
  only('POST', 'statement/{key}/opened', everyRole('key')),
  only('GET', 'disputes', { admin: 'flag+row', flag: 'campaigns' }),
  only('POST', 'disputes/{id}/decide', { admin: 'flag+row', flag: 'campaigns' }),
  only('GET', 'campaign/{id}', { customer: 'row', leads_handler: 'row', admin: 'row' }),
  only('GET', 'campaign/{id}/events', { admin: 'flag+row', flag: 'leadChart or changelog or campaigns' }),
  only('GET', 'campaign/{id}/effect', { admin: 'flag+row', flag: 'leadChart or changelog or campaigns' }),
  only('GET', 'client/{id}/record', { admin: 'flag+row', flag: 'clients' }),
  only('GET', 'clientsite/{id}', { admin: 'flag+row', flag: 'clientSites' }),
  only('GET', 'networksite/{id}', { admin: 'flag', flag: 'networkSites' }),
  only('GET', 'campaign-gmb/{id}', { admin: 'flag+row', flag: 'campaignGmbs' }),
  only('GET', 'clientsite/export', { admin: 'flag+row', flag: 'clientSites' }),
  only('GET', 'redirect_domains/export', { admin: 'flag', flag: 'redirectDomains' }),
  only('GET', 'campaign-gmb/export', { admin: 'flag+row', flag: 'campaignGmbs' }),
  only('GET', 'campaign-gmb/unplaced', { admin: 'flag+row', flag: 'campaignMap' }),
  only('GET', 'activity-log/export', { admin: 'flag+row', flag: 'activityLog' }),
  only('POST', 'user/endTour', { customer: 'own', leads_handler: 'own', admin: 'own', super_admin: 'own' }),
  ...['GET user/second-factor', 'POST user/totp', 'PUT user/totp', 'DELETE user/totp', 'POST user/recovery-codes']
    .concat('POST user/passkeys/options', 'POST user/passkeys', 'DELETE user/passkeys/{id}', 'POST user/reauthenticate')
    .map((call) => {
      const [method = '', path = ''] = call.split(' ')
      return only(method, path, { customer: 'own', leads_handler: 'own', admin: 'own', super_admin: 'own' })
    }),
  ...[
    'POST user/login/second',
    'POST user/login/passkey/options',
    'POST user/login/passkey',
    'GET user/oidc',
    'POST user/oidc',
  ].map((call) => {
    const [method = '', path = ''] = call.split(' ')
    return only(method, path, { guest: 'proof', customer: 'proof', leads_handler: 'proof', admin: 'proof' })
  }),
  only('GET', 'access/second-factor', {}),
  only('PUT', 'access/second-factor', {}),
  only('GET', 'views', { customer: 'own', leads_handler: 'own', admin: 'own', super_admin: 'own' }),
  only('POST', 'views', { customer: 'own', leads_handler: 'own', admin: 'own', super_admin: 'own' }),
  only('PUT', 'views/{id}', { customer: 'own', leads_handler: 'own', admin: 'own', super_admin: 'own' }),
  only('DELETE', 'views/{id}', { customer: 'own', leads_handler: 'own', admin: 'own', super_admin: 'own' }),
  only('GET', 'signals', { leads_handler: 'flag+row', admin: 'flag+row', flag: 'dashboard' }),
  only('GET', 'signals/{id}', { leads_handler: 'flag+row', admin: 'flag+row', flag: 'dashboard' }),
  only('GET', 'home/figures', { leads_handler: 'flag+row', admin: 'flag+row', flag: 'leads' }),
  only('POST', 'home/visit', { leads_handler: 'flag', admin: 'flag', flag: 'dashboard' }),
  only('GET', 'signals/count', { leads_handler: 'flag+row', admin: 'flag+row', flag: 'dashboard' }),
  only('POST', 'signals/{id}/claim', { leads_handler: 'flag+row', admin: 'flag+row', flag: 'dashboard' }),
  only('DELETE', 'signals/{id}/claim', { leads_handler: 'flag+row', admin: 'flag+row', flag: 'dashboard' }),
  only('POST', 'signals/{id}/mute', { leads_handler: 'flag+row', admin: 'flag+row', flag: 'dashboard' }),
  only('POST', 'signals/{id}/probe', { leads_handler: 'flag+row', admin: 'flag+row', flag: 'dashboard' }),
  only('GET', 'user/watches', { leads_handler: 'flag', admin: 'flag', flag: 'dashboard' }),
  only('PUT', 'user/watches', { leads_handler: 'flag', admin: 'flag', flag: 'dashboard' }),
  only('POST', 'user/watches/test', { leads_handler: 'flag', admin: 'flag', flag: 'dashboard' }),
  only('POST', 'signals/{id}/task', { admin: 'flag+row', flag: 'dashboard' }),
  only('GET', 'keys', { leads_handler: 'own', admin: 'own' }),
  only('POST', 'keys', { leads_handler: 'own', admin: 'own' }),
  only('DELETE', 'keys/{id}', { leads_handler: 'own', admin: 'own' }),
  only('GET', 'webhooks', { admin: 'flag+row', flag: 'leads' }),
  only('POST', 'webhooks', { admin: 'flag+row', flag: 'leads' }),
  only('PUT', 'webhooks/{id}', { admin: 'flag+row', flag: 'leads' }),
  only('DELETE', 'webhooks/{id}', { admin: 'flag+row', flag: 'leads' }),
  only('POST', 'webhooks/{id}/test', { admin: 'flag+row', flag: 'leads' }),
  only('GET', 'webhooks/{id}/deliveries', { admin: 'flag+row', flag: 'leads' }),
  only('POST', 'webhooks/{id}/deliveries/{delivery}/resend', { admin: 'flag+row', flag: 'leads' }),
  only('GET', 'agency', {}),
  only('PUT', 'agency', {}),
  only('GET', 'agency/logo', everyRole('yes')),
  only('POST', 'agency/logo', {}),
  only('DELETE', 'agency/logo', {}),
  only('GET', 'client/{id}/reports', { admin: 'flag+row', flag: 'clients' }),
  only('POST', 'client/{id}/reports', { admin: 'flag+row', flag: 'clients' }),
  only('DELETE', 'report/{id}', { admin: 'flag+row', flag: 'clients' }),
  only('GET', 'report/{key}', everyRole('key')),
  only('GET', 'report/{key}.pdf', everyRole('key')),
  only('POST', 'report/{key}/opened', everyRole('key')),
  only('GET', 'client/{id}/report-schedule', { admin: 'flag+row', flag: 'clients' }),
  only('PUT', 'client/{id}/report-schedule', { admin: 'flag+row', flag: 'clients' }),
  only('GET', 'client/{id}/report-schedule/preview', { admin: 'flag+row', flag: 'clients' }),
  only('POST', 'client/{id}/report-schedule/test', { admin: 'flag+row', flag: 'clients' }),
  only('GET', 'report-unsubscribe/{key}', everyRole('key')),
  only('POST', 'report-unsubscribe/{key}', everyRole('key')),
  only('GET', 'user/start', { customer: 'own', leads_handler: 'own', admin: 'own', super_admin: 'own' }),
  only('GET', 'user/reports/{id}', { customer: 'own', leads_handler: 'own', admin: 'own', super_admin: 'own' }),
  only('GET', 'user/reports/{id}.pdf', { customer: 'own', leads_handler: 'own', admin: 'own', super_admin: 'own' }),
  only('POST', 'user/reports/{id}/opened', { customer: 'own', leads_handler: 'own', admin: 'own', super_admin: 'own' }),
  only('POST', 'tool-link', {}),
  only('PUT', 'tool-link/{id}', {}),
  only('DELETE', 'tool-link/{id}', {}),
  only('GET', 'team', {}),
  only('POST', 'team', {}),
  only('PUT', 'team/{id}', {}),
  only('DELETE', 'team/{id}', {}),
  only('GET', 'leads/sources', {}),
  only('POST', 'lead/{id}/mails/{mailId}/again', { admin: 'flag+row', flag: 'leads' }),
  only('GET', 'lead/{id}', {
    customer: 'own',
    leads_handler: 'flag+row',
    admin: 'flag+row',
    flag: 'leads or archivedleads',
  }),
  only('POST', 'lead/{id}/spam', { admin: 'flag+row', flag: 'leads or archivedleads' }),
  only('DELETE', 'lead/{id}/spam', { admin: 'flag+row', flag: 'leads or archivedleads' }),
  only('GET', 'leads/rules', { admin: 'flag', flag: 'leads or leadsRelated' }),
  only('GET', 'leads/keywords/suggestions', { admin: 'flag', flag: 'leads or leadsRelated' }),
  only('POST', 'leads/rules/{id}/undo', { admin: 'flag', flag: 'leads' }),
  only('POST', 'leads/keywords/rehearse', { admin: 'flag', flag: 'leads or leadsRelated' }),
  only('POST', 'leads/spammers/rehearse', { admin: 'flag', flag: 'leads or leadsRelated' }),
  only('GET', 'admin/audit/kinds', {}),
  only('GET', 'erasures', {}),
  only('POST', 'erasures', {}),
  only('POST', 'erasures/rehearse', {}),
  only('GET', 'imports', {}),
  only('GET', 'imports/fields', {}),
  only('POST', 'imports', {}),
  only('GET', 'imports/{id}', {}),
  only('DELETE', 'imports/{id}', {}),
  only('GET', 'imports/{id}/columns', {}),
  only('PUT', 'imports/{id}/columns', {}),
  only('GET', 'imports/{id}/readings', {}),
  only('GET', 'imports/{id}/names', {}),
  only('GET', 'imports/{id}/problems', {}),
  only('GET', 'imports/{id}/problems/groups', {}),
  only('GET', 'imports/{id}/refused', {}),
  only('POST', 'imports/{id}/run', {}),
  only('POST', 'imports/{id}/undo', {}),
  only('GET', 'moves', {}),
  only('POST', 'moves', {}),
  only('GET', 'moves/{id}', {}),
  only('GET', 'moves/{id}/items', {}),
  only('PUT', 'moves/{id}/choices', {}),
  only('POST', 'moves/{id}/accept', {}),
  only('POST', 'moves/{id}/undo', {}),
  only('POST', 'moves/{id}/invite', {}),
  only('GET', 'moves/{id}/differences', {}),
  only('GET', 'clientsite/{id}/hook', { admin: 'flag+row', flag: 'clientSites' }),
  only('POST', 'clientsite/{id}/hook', { admin: 'flag+row', flag: 'clientSites' }),
  only('GET', 'intakes', { admin: 'flag+row', flag: 'clientSites' }),
  only('POST', 'intakes', { admin: 'flag+row', flag: 'clientSites' }),
  only('GET', 'intakes/{id}', { admin: 'flag+row', flag: 'clientSites' }),
  only('PUT', 'intakes/{id}', { admin: 'flag+row', flag: 'clientSites' }),
  only('DELETE', 'intakes/{id}', { admin: 'flag+row', flag: 'clientSites' }),
  only('POST', 'intakes/{id}/preview', { admin: 'flag+row', flag: 'clientSites' }),
  only('POST', 'intakes/{id}/test', { admin: 'flag+row', flag: 'clientSites' }),
  only('POST', 'intakes/{id}/replay', { admin: 'flag+row', flag: 'clientSites' }),
  only('GET', 'intakes/{id}/events', { admin: 'flag+row', flag: 'clientSites' }),
  only('POST', 'hooks/in/{key}', { guest: 'signature', super_admin: '403' }),
  only('POST', 'clientsite/{id}/check', { admin: 'flag+row', flag: 'clientSites' }),
  only('POST', 'networksite/{id}/check', { admin: 'flag', flag: 'networkSites' }),
  only('GET', 'redirect_domains/steps', { admin: 'flag', flag: 'redirectDomains' }),
  only('GET', 'lead/{id}/history', { admin: 'flag+row', flag: 'leads or archivedleads' }),
  only('POST', 'lead/{id}/restore', { admin: 'flag+row', flag: 'leads or archivedleads' }),
  only('POST', 'campaign-gmb/{id}/accept', { admin: 'flag+row', flag: 'campaignGmbs' }),
  only('POST', 'gmb/locations/{id}/check', { admin: 'flag', flag: 'googleLocations' }),
  only('POST', 'gmb/sync', { admin: 'flag', flag: 'googleLocations' }),
  only('GET', 'gmb/connection', { admin: 'flag', flag: 'googleLocations' }),
  only('POST', 'campaign-gmb/{id}/check', { admin: 'flag+row', flag: 'campaignGmbs' }),
  only('POST', 'campaign-gmb/check', { admin: 'flag', flag: 'campaignGmbs' }),
  only('GET', 'leads/list/queues', { leads_handler: 'flag+row', admin: 'flag+row', flag: 'leads' }),
  only('GET', 'leads/events', {
    customer: 'own',
    leads_handler: 'flag+row',
    admin: 'flag+row',
    flag: 'leads or archivedleads or dashboard',
  }),
  only('GET', 'campaign/{id}/forecast', { admin: 'flag+row', flag: 'leadChart or campaigns' }),
  only('GET', 'leads/forecast/score', { admin: 'flag+row', flag: 'leadChart or campaigns' }),
  only('GET', 'campaign/{id}/why', { admin: 'flag+row', flag: 'leadChart or changelog or campaigns' }),
  only('GET', 'campaign-changelog/{id}/effect', { admin: 'flag+row', flag: 'changelog' }),
  only('POST', 'leads/batch', {
    customer: 'own',
    leads_handler: 'flag+row',
    admin: 'flag+row',
    flag: 'leads or archivedleads',
  }),
  only('GET', 'leads/batch/{id}', {
    customer: 'own',
    leads_handler: 'flag+row',
    admin: 'flag+row',
    flag: 'leads or archivedleads',
  }),
  only('POST', 'leads/batch/{id}/undo', {
    customer: 'own',
    leads_handler: 'flag+row',
    admin: 'flag+row',
    flag: 'leads or archivedleads',
  }),
  only('GET', 'recording/{id}/stream', {
    guest: 'signature',
    customer: 'signature',
    leads_handler: 'signature',
    admin: 'signature',
    super_admin: 'signature',
  }),
]

/** Addresses that share a row of the specification, or are not in the contract. */
const apart: Record<string, string[]> = {
  'admin/audit, users/{id}/sessions; DELETE users/{id}/sessions': [
    'GET admin/audit',
    'GET users/{id}/sessions',
    'DELETE users/{id}/sessions',
  ],
  'healthz, readyz': [],
  'metrics, openapi.json': [],
  '/ (SPA), /login, /rate, /rate/not-lead': [],
}
/** Returns an address such as `PUT lead/:`: words after the path are remarks, and parameters match by position, not name. */
const spelt = (method: string, path: string) =>
  `${method} ${path.replace(/ .*$|\?.*$/, '').replace(/\{[^}]+\}|:\w+/g, ':')}`
const addressesOf = ({ method, path }: Row) =>
  (apart[path] ?? [`${method} ${path}`]).map((address) => spelt(...(address.split(/ (.*)/) as [string, string])))

const rows = [...written, ...ours].flatMap((row) => addressesOf(row).map((address) => ({ ...row, address })))
const endpoints = allEndpoints.map(({ endpoint }) => endpoint)
/** The form hook has its site in the address, which the permission specification leaves out. */
const addressOf = ({ method, path }: Endpoint) =>
  spelt(method, path.slice(1).replace('hooks/formidable/:id', 'hooks/formidable'))
const rowsOf = (endpoint: Endpoint) => rows.filter(({ address }) => address === addressOf(endpoint))
/** One without a row is named once, and not for what follows from that. */
const described = endpoints.filter((endpoint) => rowsOf(endpoint).length > 0)

describe('the matrix and the contract', () => {
  test('every endpoint has its row (R2)', () => {
    const missing = endpoints.filter((endpoint) => rowsOf(endpoint).length === 0).map(addressOf)
    expect(missing, 'Say in `ours`, above, who may make each of these calls').toEqual([])
  })

  test('every row has its endpoint (R2)', () => {
    const built = new Set(endpoints.map(addressOf))
    expect(rows.map(({ address }) => address).filter((address) => !built.has(address))).toEqual([])
  })
})

// ——— the access rules alone ———

const holding = (held: readonly PermissionFlag[], role: Role): AccessSubject => ({
  isAdmin: role === 'admin',
  isSuperAdmin: role === 'super_admin',
  isCustomer: role === 'customer',
  permissions: Object.fromEntries(permissionFlags.map((flag) => [flag, held.includes(flag)])) as Permissions,
})

/** Returns the pages in a row's flag column, and whether all of them are needed. */
function pagesOf(row: Row): { pages: PermissionFlag[]; all: boolean } {
  if (row.flag === 'any staff flag') return { pages: [...permissionFlags], all: false }
  const pages = permissionFlags.filter((flag) => new RegExp(`\\b${flag}\\b`).test(row.flag))
  return { pages, all: / AND /.test(row.flag) }
}
const opens = (cell: string) => !/^(401|403)$/.test(cell)

/** Returns whether the rows of an address together allow a person with exactly these pages. */
function mayBy(all: Row[], role: 'leads_handler' | 'admin', held: readonly PermissionFlag[]): boolean {
  return all.some((row) => {
    if (!opens(row[role])) return false
    const { pages, all: needsAll } = pagesOf(row)
    const counted =
      role === 'leads_handler' && /if leadChart/.test(row[role]) ? (['leadChart'] as PermissionFlag[]) : pages
    if (counted.length === 0) return true
    return needsAll ? counted.every((page) => held.includes(page)) : counted.some((page) => held.includes(page))
  })
}

describe('a person with a page may do exactly what its row says', () => {
  const closed = described.filter(({ allow }) => !allow.guests && allow.words !== 'signed in')
  test.each(closed.map((endpoint) => [endpoint.address, endpoint] as const))('%s [PERM-01, PERM-02]', (_, endpoint) => {
    const all = rowsOf(endpoint)
    for (const role of ['leads_handler', 'admin'] as const)
      for (const flag of role === 'admin' ? permissionFlags : handlerFlags) {
        // If two pages are needed together, one of them alone grants nothing; both do.
        const held = [flag]
        expect(endpoint.allow(holding(held, role)), `${role} with ${flag}`).toBe(mayBy(all, role, held))
      }
    expect(endpoint.allow(holding([...permissionFlags], 'super_admin'))).toBe(all.some((row) => opens(row.super_admin)))
    for (const role of ['leads_handler', 'admin'] as const)
      expect(endpoint.allow(holding([...permissionFlags], role)), `${role} with every page`).toBe(
        mayBy(all, role, [...permissionFlags]),
      )
  })
})

// ——— the same over HTTP, with real rows ———

/** Creates one of everything that belongs to a campaign, with its people. */
async function thingsOf(one: App) {
  const { make } = one
  const client = await make.client()
  const campaign = await make.campaign({ client_id: client.id })
  const lead = await make.lead({
    campaign_id: campaign.id,
    lead_type: 'Call',
    tags: ['Missed Call'],
    recording_url: 'https://api.callrail.com/v3/a/1/calls/1/recording.json',
  })
  return {
    campaign: campaign.id,
    client: client.id,
    site: (await make.clientSite({ campaign_id: campaign.id })).id,
    gmb: (await make.gmb({ campaign_id: campaign.id })).id,
    lead: lead.id,
    customer: (await make.customer({ client_id: client.id })).id,
    handler: (await make.handler({ campaigns: [campaign.id] })).id,
    admin: (await make.admin({ permissions: ['leads'], campaigns: [campaign.id] })).id,
    category: (await make.category()).id,
    spammer: (
      await one.context.db.insert(spammersTable).values({ name: 'Spam', email: 'a@spam.example' }).returning()
    )[0]!.id,
  }
}

/** Returns the id of the record that an address names. */
function idFor({ path }: Endpoint, things: Awaited<ReturnType<typeof thingsOf>>): number {
  const found = Object.entries(byPath).find(([start]) => path.startsWith(start))
  return found ? things[found[1]] : 999_999
}
const byPath: Record<string, keyof Awaited<ReturnType<typeof thingsOf>>> = {
  '/campaigncategory/': 'category',
  '/campaign-gmb/': 'gmb',
  '/campaign/': 'campaign',
  '/client-resource/': 'client',
  '/clientsite/': 'site',
  '/client/': 'client',
  '/admin/admins/': 'admin',
  '/leads-handlers/': 'handler',
  '/leads/spammers/': 'spammer',
  '/users/': 'admin',
  '/user/': 'customer',
  '/rate/': 'lead',
  '/recording/': 'lead',
  '/lead/': 'lead',
}

const app = await setUp(startApp())
const { make } = app
const own = await thingsOf(app)
const foreign = await thingsOf(app)
const inScope = { campaigns: [own.campaign] }
const people: { [name: string]: Caller } = {
  guest: app.guest,
  customer: await app.as(await make.customer()),
  'handler without the page': await app.as(await make.handler({ ...inScope, permissions: [] })),
  'handler with the page': await app.as(await make.handler(inScope)),
  'admin without the page': await app.as(await make.admin({ ...inScope, permissions: [] })),
  admin: await app.as(await make.admin(inScope)),
  'super admin': await app.as(await make.superAdmin()),
  deactivated: await app.as(await make.superAdmin({ is_active: false })),
  expired: await expired(app),
}

async function expired({ context, make, url }: App): Promise<Caller> {
  const token = 'x'.repeat(43)
  const user = await make.superAdmin()
  const expires_at = new Date(Date.now() - 1000)
  await context.db
    .insert(sessionsTable)
    .values({ token_hash: hashSha256(token), user_id: user.id, via: 'password', expires_at })
  return caller(url, token)
}

/** A body that every call refuses, so that allowed calls change nothing either, except for calls without a body. */
const nonsense = { nonsense: '\u0000' }
const ask = (who: Caller, endpoint: Endpoint, id: number) =>
  who.call(
    { ...endpoint, response: undefined },
    { params: { id, leadId: id }, ...(endpoint.method === 'GET' ? {} : { body: nonsense }) },
  )

describe('a forbidden call is refused over HTTP, and changes nothing (R1)', () => {
  const closed = described.filter(({ allow }) => !allow.guests)
  test.each(closed.map((endpoint) => [endpoint.address, endpoint] as const))('%s [PERM-01]', async (_, endpoint) => {
    const all = rowsOf(endpoint)
    const before = await app.dump()
    const id = idFor(endpoint, own)
    for (const name of ['guest', 'deactivated', 'expired'])
      expect((await ask(people[name]!, endpoint, id)).status, name).toBe(401)
    const anyPage = pagesOf(all[0]!).pages.length > 0 && all[0]!.flag !== 'any staff flag'
    if (all.every((row) => !opens(row.customer)))
      expect((await ask(people.customer!, endpoint, id)).status, 'customer').toBe(403)
    if (anyPage || all.every((row) => !opens(row.leads_handler)))
      expect((await ask(people['handler without the page']!, endpoint, id)).status).toBe(403)
    if (all.every((row) => !opens(row.leads_handler)))
      expect((await ask(people['handler with the page']!, endpoint, id)).status).toBe(403)
    if (anyPage) expect((await ask(people['admin without the page']!, endpoint, id)).status).toBe(403)
    if (all.every((row) => !opens(row.admin))) expect((await ask(people.admin!, endpoint, id)).status).toBe(403)
    expect(await app.dump()).toBe(before)
  })
})

describe('a row of a campaign without access is not found, even with the page’s permission', () => {
  const scoped = endpoints.filter(
    (endpoint) =>
      /:id/.test(endpoint.path) &&
      rowsOf(endpoint).some((row) => /row|all campaigns/.test(row.admin)) &&
      idFor(endpoint, { ...own, lead: 1 }) !== 999_999,
  )
  // The shape is checked before the row, so calls with a body get a valid one.
  const bodiless = scoped.filter(({ body, method }) => method === 'GET' || body === undefined)
  test.each(bodiless.map((endpoint) => [endpoint.address, endpoint] as const))(
    '%s [PERM-03, PERM-04]',
    async (_, endpoint) => {
      const before = await app.dump()
      const [theirs, nobodys] = [idFor(endpoint, foreign), 999_999]
      const one = await ask(people.admin!, endpoint, theirs)
      const other = await ask(people.admin!, endpoint, nobodys)
      expect([one.status, one.body]).toEqual([
        404,
        { message: 'This no longer exists, or you don’t have access to it' },
      ])
      expect([other.status, other.body]).toEqual([one.status, one.body])
      expect(await app.dump()).toBe(before)
      // A super admin, and a person with the page and the campaign, pass all of these checks.
      for (const name of ['super admin', 'admin'])
        if (endpoint.method === 'GET' && !endpoint.streams)
          expect((await ask(people[name]!, endpoint, idFor(endpoint, own))).status, name).not.toBeOneOf([401, 403, 404])
    },
  )
})
