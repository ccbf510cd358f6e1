import { parse } from 'tldts'
import { createOncePer } from '#core/once-per.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { OutboundClient } from '#integrations/outbound/outbound.ts'
import { CircuitBreaker, UpstreamStatusError } from '#integrations/outbound/upstream.ts'
import { RdapClient } from '#integrations/rdap/rdap.ts'
import type { DomainRegistration } from '#integrations/rdap/registration.ts'
import { lookUpWhois } from '#integrations/rdap/whois.ts'

/** One of each per process: they cache server lists, and which servers do not answer. */
const getClientsOf = createOncePer((outbound: OutboundClient, settings: AppContext['settings']) => ({
  rdap: new RdapClient(outbound, settings),
  whois: new CircuitBreaker('WHOIS', { maxFailures: 10 }),
}))
export const getRegistryClients = ({ outbound, settings }: AppContext) => getClientsOf(outbound, settings)

export type RegistryAnswer = DomainRegistration & { told_by: 'rdap' | 'whois'; problem: string | null }

/** Queries RDAP, or else WHOIS. Throws if neither answers. */
export async function queryRegistry(context: AppContext, domain: string): Promise<RegistryAnswer> {
  const { rdap, whois: line } = getRegistryClients(context)
  try {
    const answer = await rdap.domain(domain)
    if (answer) return { ...answer, told_by: 'rdap', problem: null }
  } catch (error) {
    if (error instanceof UpstreamStatusError && error.status === 404)
      return { ...emptyRegistration, told_by: 'rdap', problem: 'Not registered' }
    throw error
  }
  if (!parse(domain).isIcann) throw new Error('No registry has names like this one')
  const answer = await line.ask(() => lookUpWhois(context.outbound, context.settings, domain))
  return {
    ...answer,
    told_by: 'whois',
    problem: answer.registrar || answer.expires_on ? null : 'The registry has no data about it',
  }
}

const emptyRegistration: DomainRegistration = {
  registrar: null,
  registrant: null,
  registered_on: null,
  expires_on: null,
  nameservers: [],
}
