/** What a registry tells of a domain; null where it does not say, or says it in a way that cannot be read for sure. */
export type DomainRegistration = {
  registrar: string | null
  registrant: string | null
  registered_on: string | null
  expires_on: string | null
  nameservers: string[]
}
