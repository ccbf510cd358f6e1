import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, querySearch, required, siteAddress } from '#contract/fields.ts'
import { listFile, paged } from '#contract/paged.ts'
import { siteStatus } from '../checks/contract.ts'
import { stepNames } from './labels.ts'

const keeps = both(admin, may('redirectDomains'))

const redirectDomain = z.object({
  id,
  domain: z.string(),
  redirect_url: z.string(),
  live_status: siteStatus,
  registrar: z.string().nullable(),
  registrant: z.string().nullable(),
  registration: z.iso.date().nullable(),
  expiration: z.iso.date().nullable(),
  nameserver_1: z.string().nullable(),
  nameserver_2: z.string().nullable(),
  /** Why cPanel did not do what was asked last. */
  problem: z.string().nullable(),
})
export type RedirectDomain = z.infer<typeof redirectDomain>

const task = z.object({
  id,
  kind: z.enum(['add', 'remove']),
  domain: z.string(),
  redirect_url: z.string(),
  state: z.enum(['running', 'failed']),
  steps: z.array(
    z.object({
      name: z.enum(Object.keys(stepNames) as (keyof typeof stepNames)[]),
      state: z.enum(['running', 'done', 'failed']),
    }),
  ), // its keys
  error: z.string().nullable(),
})
export type RedirectTask = z.infer<typeof task>

const hostName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

const form = z.object({
  /** A bare host name; in other letters it becomes what DNS knows. */
  domain: required('Please input domain')
    .transform((value) => {
      const address = `http://${value.toLowerCase()}`
      return /^[^\s/:@?#]+$/.test(value) && URL.canParse(address) ? new URL(address).hostname : value
    })
    .refine((value) => hostName.test(value), 'Not a domain, such as example.com'),
  redirect_url: siteAddress('Please input redirect url'),
})
export type RedirectDomainForm = z.output<typeof form>

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

const list = paged({
  row: redirectDomain,
  sorts: redirectDomainSorts,
  sort: 'domain',
  perPage: 200,
  filters: { q: querySearch(2048) },
})
export type RedirectDomainQuery = z.output<typeof list.query>

export const redirectDomains = {
  list: endpoint('GET /redirect_domains', { allow: keeps, ...list }),
  csv: listFile('GET /redirect_domains/export', { allow: keeps, query: list.query, file: '301_domains.csv' }),
  create: endpoint('POST /redirect_domains', {
    allow: keeps,
    about: 'Adds the domain and its redirect in cPanel, and answers when cPanel has agreed.',
    body: form,
    answers: redirectDomain,
    says: 'Redirect was created successfully',
  }),
  remove: endpoint('DELETE /redirect_domains/:id', {
    allow: keeps,
    about: 'Removes it in cPanel, and here when cPanel has agreed.',
    asks: 'Are you sure you want to delete this additional domain? It will also be deleted from CPanel.',
    says: 'Redirect Domain was removed successfully',
  }),
  steps: endpoint('GET /redirect_domains/steps', {
    allow: keeps,
    about: 'What is being done at cPanel, and what failed within the last hour.',
    answers: z.object({ connected: z.boolean(), tasks: z.array(task) }),
  }),
}
