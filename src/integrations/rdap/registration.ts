import { toUtcDay } from '#contract/days.ts'

/** A registry's data about a domain; null where it is missing or ambiguous. */
export type DomainRegistration = {
  registrar: string | null
  registrant: string | null
  registered_on: string | null
  expires_on: string | null
  nameservers: string[]
}

/** Returns the day of an instant in UTC; null if it has none, or one that PostgreSQL does not take. */
export function toRegistryDay(at: Date): string | null {
  const day = Number.isNaN(at.getTime()) ? '' : toUtcDay(at)
  return /^[1-9]\d{3}-/.test(day) ? day : null
}
