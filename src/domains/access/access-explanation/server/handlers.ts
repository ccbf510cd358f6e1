import type { Endpoint } from '#contract/endpoint.ts'
import { pageTitles } from '#contract/pages.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { notFoundError, validationError } from '#core/http/errors.ts'
import { assertHasAllRights, isListedFor, toRightsHolder } from '#domains/access/server/can-assign.ts'
import { type CurrentUser, findAccountById } from '#domains/access/server/current-user.ts'
import { implementContract } from '#domains/app-context.ts'
import { type AccessExplanation, accessExplanationContract } from '../contract.ts'
import { type ExplainedFields, findScopedRow, type ScopedRow, type ScopedRows } from './scoped-rows.ts'

export const createAccessExplanationHandlers = (parts: ExplainedParts) =>
  implementContract(accessExplanationContract, {
    why: async ({ db, me, query, request }) => {
      const endpoint = findEndpoint(request.server.endpoints, query.call)
      if (!endpoint) throw validationError({ call: ['There is no such call'] })
      const found = await findAccountById(db, query.user)
      if (!found || !isListedFor(me, found.user)) throw notFoundError()
      // Leads handlers and clients can be asked about by everyone who may list them; an admin’s rights only by those who hold them all.
      if (found.user.isAdmin) assertHasAllRights(me, toRightsHolder(found.user))
      if (found.isActive) return explainCall(db, parts, { endpoint, user: found.user, id: query.id, asker: me })
      const rule = 'The account is switched off'
      return { allowed: false, status: 401, rule, flag: null, campaign: null, fields: null }
    },
  })

/** `GET lead/{id}` in any spelling of its parameters. */
const toCallKey = (call: string) =>
  call
    .trim()
    .replace(/^(\w+)\s+\/?(api\/)?/i, (_, method: string) => `${method.toUpperCase()} `)
    .replace(/\{\w+\}|:\w+/g, '{}')

const findEndpoint = (endpoints: readonly Endpoint[], call: string): Endpoint | undefined =>
  endpoints.find(({ address }) => toCallKey(address) === toCallKey(call))

type AccessQuestion = { endpoint: Endpoint; user: CurrentUser; id: number | undefined; asker: CurrentUser }
type ExplainedParts = {
  scopedRows: readonly ScopedRows[]
  listRules: Readonly<Record<string, string>>
  explainedFields: readonly ExplainedFields[]
}

/** Returns what the call would return to this person, and why. A row hidden from the asker counts as missing. */
async function explainCall(
  db: DbOrTx,
  { scopedRows, listRules, explainedFields }: ExplainedParts,
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
    rule: [describeRule(endpoint), scope?.rule ?? findListRule(listRules, endpoint)].filter(Boolean).join('; '),
    flag: allow.pages.length > 0 ? { needed: [...allow.pages], held: holdsPages(endpoint, user) } : null,
    campaign: row?.campaign ? { ...row.campaign, ticked: isCampaignOf(user, row.campaign.id) } : null,
    fields: (allowed && explainedFields.find(({ paths }) => paths.test(endpoint.path))?.explain(user)) || null,
  }
}

/** Returns who may make the call: the pages by their titles, and the roles. */
function describeRule({ allow: { words, pages } }: Endpoint): string {
  const titled = words.replace(/\w+/g, (word) => {
    const page = pages.find((flag) => flag === word)
    if (!page) return word
    return page === 'show_lead_http_columns' ? pageTitles[page] : `${pageTitles[page]} page`
  })
  const plural = titled.replace(/\badmin\b/g, 'admins')
  return plural.charAt(0).toUpperCase() + plural.slice(1)
}

/** Returns which rows of a list a person sees; undefined if all, or if the call is no list. */
const findListRule = (rules: ExplainedParts['listRules'], { method, path, row }: Endpoint) =>
  method === 'GET' && row && !path.includes('/:') ? rules[row] : undefined

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
