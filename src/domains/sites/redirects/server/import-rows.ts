import { eq } from 'drizzle-orm'
import { parseHost } from '#contract/web-address.ts'
import { conflictError, type FieldErrors } from '#core/http/errors.ts'
import {
  buildImportFields,
  type ImportDefinition,
  type LineProblem,
  markKnownRows,
  parseFieldCells,
  removeUnchanged,
  toCellProblems,
  writeEach,
} from '#domains/imports/public.ts'
import { getRegisteredDomain } from '#domains/sites/checks/server/site-registration.ts'
import { type RedirectDomainForm, redirectDomainsContract } from '../contract.ts'
import { redirectDomainFields } from '../fields.ts'
import { redirectDomainsTable } from '../schema.ts'
import { deleteRedirectDomain, insertRedirectDomain, redirectDomainAuditKind } from './redirect-task.ts'

/** Returns what is wrong with a name that cannot be registered, on either side, and with a redirect to itself; null for nothing. */
export function findRedirectProblems({ domain, redirect_url }: RedirectDomainForm): FieldErrors | null {
  if (getRegisteredDomain(domain) === null) return { domain: ['Not a domain, such as example.com'] }
  if (getRegisteredDomain(parseHost(redirect_url)) === null) return { redirect_url: ['Not a web address'] }
  if (parseHost(domain) === parseHost(redirect_url)) return { redirect_url: ['The domain would redirect to itself'] }
  return null
}

/** The import of 301 domains, which redirect already: cPanel is asked neither to make them nor, by an undo, to remove them. */
export const redirectDomainsImport: ImportDefinition<RedirectDomainForm> = {
  atOnce: 100,
  fields: Object.values(buildImportFields(redirectDomainFields)),

  open: async () => (cells) => {
    const parsed = redirectDomainsContract.create.body.safeParse(parseFieldCells(redirectDomainFields, cells))
    if (!parsed.success) return { wrong: toCellProblems(parsed.error) }
    const wrong: LineProblem[] = Object.entries(findRedirectProblems(parsed.data) ?? {}).flatMap(([field, lines]) =>
      lines.map((says) => ({ field, says })),
    )
    return wrong.length > 0 ? { wrong } : { row: parsed.data, names: [parsed.data.domain] }
  },

  there: (db, rows) => markKnownRows(db, rows, redirectDomainsTable.domain, ({ domain }) => domain),

  write: (tx, { actor }, rows) =>
    writeEach(tx, rows, async (inner, row) => {
      const id = await insertRedirectDomain(inner, actor, { ...row, domainkey: '' })
      if (id === null) throw conflictError('Someone else has added the same in the meantime')
      return id
    }),

  remove: (tx, { actor }, ids, findUses) =>
    removeUnchanged(
      tx,
      ids,
      { table: redirectDomainsTable, kind: redirectDomainAuditKind, thing: 'this domain', findUses },
      (id) => deleteRedirectDomain(tx, actor, eq(redirectDomainsTable.id, id)),
    ),
}
