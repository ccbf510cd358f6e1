/** A registry's data about a domain; null where it is missing or ambiguous. */
export type DomainRegistration = {
  registrar: string | null
  registrant: string | null
  registered_on: string | null
  expires_on: string | null
  nameservers: string[]
}
