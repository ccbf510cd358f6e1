import type { Endpoint } from '#contract/endpoint.ts'
import type { DbOrTx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/server/current-user.ts'
import type { AccessExplanation } from '../contract.ts'
import { type ExplainedFields, findScopedRow, type ScopedRow, type ScopedRows } from './scoped-rows.ts'

/** `GET lead/{id}` in any spelling of its parameters. */
const toCallKey = (call: string) =>
  call
    .trim()
    .replace(/^(\w+)\s+\/?(api\/)?/i, (_, method: string) => `${method.toUpperCase()} `)
    .replace(/\{\w+\}|:\w+/g, '{}')

export const findEndpoint = (endpoints: readonly Endpoint[], call: string): Endpoint | undefined =>
  endpoints.find(({ address }) => toCallKey(address) === toCallKey(call))

type AccessQuestion = { endpoint: Endpoint; user: CurrentUser; id: number | undefined; asker: CurrentUser }
export type ExplainedParts = { scopedRows: readonly ScopedRows[]; explainedFields: readonly ExplainedFields[] }

/** Returns what the call would return to this person, and why. A row hidden from the asker counts as missing. */
export async function explainCall(
  db: DbOrTx,
  { scopedRows, explainedFields }: ExplainedParts,
  { endpoint, user, id, asker }: AccessQuestion,
): Promise<AccessExplanation> {
  const { allow } = endpoint
  const scope = await findScopedRow(db, scopedRows, endpoint, id)
  const row = scope?.row && (scope.row.isVisibleTo(asker) ? scope.row : null)
  const status = !allow(user) ? 403 : scope && !row?.isVisibleTo(user) ? 404 : getStatusOfWrite(endpoint, user, row)
  const allowed = status < 400
  return {
    allowed,
    status,
    rule: scope ? `${allow.words}; ${scope.rule}` : allow.words,
    flag: allow.pages.length > 0 ? { needed: [...allow.pages], held: holdsPages(endpoint, user) } : null,
    campaign: row?.campaign ? { ...row.campaign, ticked: isCampaignOf(user, row.campaign.id) } : null,
    fields: (allowed && explainedFields.find(({ paths }) => paths.test(endpoint.path))?.explain(user)) || null,
  }
}

/** A row may be readable but not writable. */
function getStatusOfWrite(
  { method, response, streams }: Endpoint,
  user: CurrentUser,
  row: ScopedRow | null | undefined,
) {
  if (method !== 'GET' && row?.mayBeChangedBy?.(user) === false) return 403
  return response || streams ? 200 : 204
}

const isCampaignOf = (user: CurrentUser, id: number) => user.campaignIds?.includes(id) ?? true

/** Evaluates the rule as an admin, so that only the pages decide. */
const holdsPages = ({ allow }: Endpoint, { permissions }: CurrentUser) =>
  allow({ isAdmin: true, isSuperAdmin: true, isCustomer: false, permissions })
