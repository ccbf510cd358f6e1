import { z } from 'zod'
import { defineFields, sortedColumn } from '#contract/field-definitions.ts'
import { idField, requiredText } from '#contract/fields.ts'
import { bySearch } from '#contract/filter-definitions.ts'
import { httpUrlField } from '#contract/web-address.ts'
import { siteStatusSchema } from '../checks/contract.ts'

const hostNamePattern = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

const optionalColumn = { row: z.string().nullable(), ...sortedColumn } as const
const dateColumn = { ...optionalColumn, row: z.iso.date().nullable() } as const

export const redirectDomainFields = defineFields({
  id: { kind: 'count', label: 'ID', row: idField },
  /** A bare host name; an international one becomes Punycode. */
  domain: {
    kind: 'text',
    label: 'Domain',
    row: z.string(),
    form: requiredText('Please input domain')
      .transform((value) => {
        const address = `http://${value.toLowerCase()}`
        return /^[^\s/:@?#]+$/.test(value) && URL.canParse(address)
          ? new URL(address).hostname.replace(/\.$/, '') // the dot that ends a name in a zone file
          : value
      })
      .refine((value) => hostNamePattern.test(value), 'Not a domain, such as example.com'),
    column: 'URL',
    sort: true,
    import: { also: ['domain name', 'url', 'source', 'old domain'] },
  },
  redirect_url: {
    kind: 'link',
    label: 'Redirect URL',
    row: z.string(),
    form: httpUrlField('Please input redirect url'),
    column: 'Redirect',
    sort: true,
    import: {
      also: ['redirect', 'redirects to', 'target', 'destination', 'forwarding url', 'url forwarding', 'forwards to'],
    },
  },
  live_status: { kind: 'custom', label: 'Status', row: siteStatusSchema, ...sortedColumn },
  registrar: { kind: 'longText', label: 'Registrar', ...optionalColumn },
  registrant: { kind: 'longText', label: 'Registrant', ...optionalColumn },
  registration: { kind: 'date', label: 'Registration', ...dateColumn },
  expiration: { kind: 'date', label: 'Expiration', ...dateColumn },
  nameserver_1: { kind: 'longText', label: 'Nameserver 1', ...optionalColumn },
  nameserver_2: { kind: 'longText', label: 'Nameserver 2', ...optionalColumn },
  /** Why the last task at cPanel failed. */
  problem: { kind: 'longText', label: 'Problem', row: z.string().nullable() },
})

export const redirectDomainFilters = {
  q: bySearch({ label: 'Search', max: 2048, columns: ['domain', 'redirect_url'] }),
}
