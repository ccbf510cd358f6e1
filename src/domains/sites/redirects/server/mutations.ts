import { eq, sql } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { getRegisteredDomain, trackDomain, untrackDomain } from '#domains/sites/checks/server/site-registration.ts'
import { redirectDomainsTable, redirectTasksTable } from '../schema.ts'

const redirectDomainAuditKind = 'redirect domain'
type NewRedirectDomain = { domain: string; redirect_url: string; domainkey: string }

/** Adds a domain that cPanel redirects. Returns its id, or null if it already existed. */
export async function insertRedirectDomain(tx: Tx, actor: AuditActor, row: NewRedirectDomain): Promise<number | null> {
  const { domain, redirect_url } = row
  const registered_domain = getRegisteredDomain(domain)
  const [made] = await tx
    .insert(redirectDomainsTable)
    .values({ ...row, registered_domain })
    .onConflictDoNothing()
    .returning({ id: redirectDomainsTable.id })
  await trackDomain(tx, registered_domain)
  if (!made) return null
  const audit = { kind: redirectDomainAuditKind, rowId: made.id, before: null, after: { domain, redirect_url } }
  await writeAudit(tx, actor, audit)
  return made.id
}

export async function deleteRedirectDomain(tx: Tx, actor: AuditActor, domain: string): Promise<void> {
  const [gone] = await tx.delete(redirectDomainsTable).where(eq(redirectDomainsTable.domain, domain)).returning()
  if (!gone) return
  const { id, redirect_url, registered_domain } = gone
  await untrackDomain(tx, registered_domain)
  const audit = { kind: redirectDomainAuditKind, rowId: id, before: { domain, redirect_url }, after: null }
  await writeAudit(tx, actor, audit)
}

/** Saves why cPanel did not remove the domain. */
export const saveRedirectProblem = (tx: Tx, domain: string, problem: string) =>
  tx.update(redirectDomainsTable).set({ problem }).where(eq(redirectDomainsTable.domain, domain))

type TaskEnd = { state: 'done'; redirect_domain_id?: number | null } | { state: 'failed'; error: string }

export const endRedirectTask = (tx: Tx, id: number, end: TaskEnd) =>
  tx
    .update(redirectTasksTable)
    .set({ ...end, ended_at: sql`now()` })
    .where(eq(redirectTasksTable.id, id))
