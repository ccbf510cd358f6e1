import { expect, test } from 'vitest'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import type { Signal } from '../contract.ts'
import { findSubjectList } from './signal-links.ts'

const pages = { clientSites: true, networkSites: true, redirectDomains: true }
const boss = { isAdmin: true, permissions: pages } as unknown as CurrentUserDto // the rules of lists read no more
const pathOf = (type: string, evidence: object, campaign: object | null = null) =>
  findSubjectList(boss, { subject: { type, id: 1, label: 'a.example' }, evidence, campaign } as Signal)

test('a signal without a page leads to the list that has its subject [TODAY-08]', () => {
  const clients = { path: '/client-sites', search: { url: 'a.example' } }
  const network = { path: '/network-sites', search: { url: 'a.example' } }
  const redirects = { path: '/redirect-domains', search: { q: 'a.example' } }
  expect(pathOf('domain', { in_network: true }, { id: 1, name: 'A' })).toMatchObject(clients)
  expect(pathOf('domain', { in_network: true })).toMatchObject(network)
  expect(pathOf('domain', {}), 'before it was told').toMatchObject(network)
  expect(pathOf('domain', { in_network: false })).toMatchObject(redirects)
  expect(pathOf('domain', { says: 'Renewed.', opened_with: { in_network: false } })).toMatchObject(redirects)
  expect(pathOf('host', { in_network: true })).toMatchObject(network)
  expect(pathOf('host', { in_network: false })).toMatchObject(clients)
  expect(pathOf('redirect_domain', {})).toMatchObject(redirects)
})
