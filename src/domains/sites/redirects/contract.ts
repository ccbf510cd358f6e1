import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { getFormShape, getRowShape } from '#contract/field-definitions.ts'
import { idField } from '#contract/fields.ts'
import { exportEndpoint, pagedFields } from '#contract/paged.ts'
import { redirectDomainFields, redirectDomainFilters } from './fields.ts'
import { redirectStepLabels } from './labels.ts'

const canManageRedirectDomains = adminsWithPages('redirectDomains')

const redirectDomainSchema = z.object(getRowShape(redirectDomainFields))
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

const redirectDomainFormSchema = z.object(getFormShape(redirectDomainFields))
export type RedirectDomainForm = z.output<typeof redirectDomainFormSchema>

const pagedRedirectDomains = pagedFields(redirectDomainFields, {
  filters: redirectDomainFilters,
  sort: 'domain',
  perPage: 200,
})
export type RedirectDomainQuery = z.output<typeof pagedRedirectDomains.query>

export const redirectDomainsContract = {
  list: endpoint('GET /redirect_domains', {
    allow: canManageRedirectDomains,
    reads: ['redirect-domain'],
    row: 'redirect-domain',
    ...pagedRedirectDomains,
  }),
  csv: exportEndpoint('GET /redirect_domains/export', {
    allow: canManageRedirectDomains,
    query: pagedRedirectDomains.query,
    file: '301_domains.csv',
  }),
  create: endpoint('POST /redirect_domains', {
    allow: canManageRedirectDomains,
    changes: ['redirect-domain'],
    row: 'redirect-domain',
    description: 'Adds the domain and its redirect in cPanel. Returns once cPanel has confirmed.',
    body: redirectDomainFormSchema,
    response: redirectDomainSchema,
    success: 'Redirect was created successfully',
  }),
  remove: endpoint('DELETE /redirect_domains/:id', {
    allow: canManageRedirectDomains,
    changes: ['redirect-domain'],
    row: 'redirect-domain',
    description: 'Removes the domain in cPanel, and here once cPanel has confirmed.',
    confirm: 'Are you sure you want to delete this additional domain? It will also be deleted from CPanel.',
    success: 'Redirect Domain was removed successfully',
  }),
  steps: endpoint('GET /redirect_domains/steps', {
    allow: canManageRedirectDomains,
    reads: ['redirect-domain'],
    description: 'The running tasks at cPanel, and those that failed within the last hour.',
    response: z.object({ connected: z.boolean(), tasks: z.array(redirectTaskSchema) }),
  }),
}
