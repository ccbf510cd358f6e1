import { parse } from 'tldts'
import type { House } from '#core/app-context.ts'
import type { Outbound } from '#integrations/outbound/outbound.ts'
import { Upstream, UpstreamAnswer } from '#integrations/outbound/upstream.ts'
import { Rdap } from '#integrations/rdap/rdap.ts'
import type { Registration } from '#integrations/rdap/registration.ts'
import { whois } from '#integrations/rdap/whois.ts'

/** One of each for a process: they remember lists, and who does not answer. */
const known = new WeakMap<Outbound, { rdap: Rdap; whois: Upstream }>()

export function registriesOf({ outbound, settings }: House) {
  const found = known.get(outbound) ?? {
    rdap: new Rdap(outbound, settings),
    whois: new Upstream('WHOIS', { most: 10 }),
  }
  known.set(outbound, found)
  return found
}

export type Told = Registration & { told_by: 'rdap' | 'whois'; problem: string | null }

/** RDAP, else WHOIS. Throws when neither can be asked. */
export async function askRegistry(house: House, domain: string): Promise<Told> {
  const { rdap, whois: line } = registriesOf(house)
  try {
    const told = await rdap.domain(domain)
    if (told) return { ...told, told_by: 'rdap', problem: null }
  } catch (error) {
    if (error instanceof UpstreamAnswer && error.status === 404)
      return { ...nothing, told_by: 'rdap', problem: 'Not registered' }
    throw error
  }
  if (!parse(domain).isIcann) throw new Error('No registry keeps names like this one')
  const told = await line.ask(() => whois(house.outbound, house.settings, domain))
  return {
    ...told,
    told_by: 'whois',
    problem: told.registrar || told.expires_on ? null : 'The registry tells nothing of it',
  }
}

const nothing: Registration = {
  registrar: null,
  registrant: null,
  registered_on: null,
  expires_on: null,
  nameservers: [],
}
