import { z } from 'zod'
import { adminOnly, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, querySearch, requiredText, siteUrlField } from '#contract/fields.ts'
import { exportEndpoint, paged } from '#contract/paged.ts'
import { siteStatusSchema } from '../checks/contract.ts'
import { redirectStepLabels } from './labels.ts'

const canManageRedirectDomains = both(adminOnly, may('redirectDomains'))

const redirectDomainSchema = z.object({
  id: idField,
  domain: z.string(),
  redirect_url: z.string(),
  live_status: siteStatusSchema,
  registrar: z.string().nullable(),
  registrant: z.string().nullable(),
  registration: z.iso.date().nullable(),
  expiration: z.iso.date().nullable(),
  nameserver_1: z.string().nullable(),
  nameserver_2: z.string().nullable(),
  /** Why the last task at cPanel failed. */
  problem: z.string().nullable(),
})
export type RedirectDomain = z.infer<typeof redirectDomainSchema>

const redirectTaskSchema = z.object({
  id: idField,
  kind: z.enum(['add', 'remove']),
  domain: z.string(),
  redirect_url: z.string(),
  state: z.enum(['running', 'failed']),
  steps: z.array(
    z.object({
      name: z.enum(Object.keys(redirectStepLabels) as (keyof typeof redirectStepLabels)[]),
      state: z.enum(['running', 'done', 'failed']),
    }),
  ), // its keys
  error: z.string().nullable(),
})
export type RedirectTask = z.infer<typeof redirectTaskSchema>

const hostNamePattern = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

const redirectDomainFormSchema = z.object({
  /** A bare host name; in other letters it becomes what DNS knows. */
  domain: requiredText('Please input domain')
    .transform((value) => {
      const address = `http://${value.toLowerCase()}`
      return /^[^\s/:@?#]+$/.test(value) && URL.canParse(address) ? new URL(address).hostname : value
    })
    .refine((value) => hostNamePattern.test(value), 'Not a domain, such as example.com'),
  redirect_url: siteUrlField('Please input redirect url'),
})
export type RedirectDomainForm = z.output<typeof redirectDomainFormSchema>

export const redirectDomainSorts = [
  'domain',
  'redirect_url',
  'live_status',
  'registrar',
  'registrant',
  'registration',
  'expiration',
  'nameserver_1',
  'nameserver_2',
] as const

const pagedRedirectDomains = paged({
  row: redirectDomainSchema,
  sorts: redirectDomainSorts,
  sort: 'domain',
  perPage: 200,
  filters: { q: querySearch(2048) },
})
export type RedirectDomainQuery = z.output<typeof pagedRedirectDomains.query>

export const redirectDomainsContract = {
  list: endpoint('GET /redirect_domains', { allow: canManageRedirectDomains, ...pagedRedirectDomains }),
  csv: exportEndpoint('GET /redirect_domains/export', {
    allow: canManageRedirectDomains,
    query: pagedRedirectDomains.query,
    file: '301_domains.csv',
  }),
  create: endpoint('POST /redirect_domains', {
    allow: canManageRedirectDomains,
    description: 'Adds the domain and its redirect in cPanel, and answers when cPanel has agreed.',
    body: redirectDomainFormSchema,
    response: redirectDomainSchema,
    success: 'Redirect was created successfully',
  }),
  remove: endpoint('DELETE /redirect_domains/:id', {
    allow: canManageRedirectDomains,
    description: 'Removes it in cPanel, and here when cPanel has agreed.',
    confirm: 'Are you sure you want to delete this additional domain? It will also be deleted from CPanel.',
    success: 'Redirect Domain was removed successfully',
  }),
  steps: endpoint('GET /redirect_domains/steps', {
    allow: canManageRedirectDomains,
    description: 'What is being done at cPanel, and what failed within the last hour.',
    response: z.object({ connected: z.boolean(), tasks: z.array(redirectTaskSchema) }),
  }),
}
