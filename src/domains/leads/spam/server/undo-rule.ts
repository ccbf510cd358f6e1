import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { validationError } from '#core/http/errors.ts'
import { endOfZonedDay, startOfZonedDay } from '#core/time/local-time.ts'
import { type RuleUndo, tooManyMessage } from '#domains/leads/batch/contract.ts'
import { maxBatchLeads } from '#domains/leads/batch/labels.ts'
import { findPersonChanges } from '#domains/leads/batch/server/person-changes.ts'
import { type LeadTag, spamTags } from '#domains/leads/labels.ts'
import { type StoredLead, toTagColumns } from '#domains/leads/model/dto.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import type { LeadReader } from '#domains/leads/model/serializer.ts'
import { visibleLeadsCondition } from '#domains/leads/model/visibility.ts'
import { keywordsTable, ruleHitsTable, spammersTable } from '../schema.ts'
import { readSpamMatcher } from './spam-match.ts'

/** Returns the tag that a rule sets; null if there is no such rule. */
export async function findRuleTag(db: DbOrTx, id: number): Promise<LeadTag | null> {
  if ((await db.$count(keywordsTable, eq(keywordsTable.id, id))) > 0) return 'BLSpam'
  return (await db.$count(spammersTable, eq(spammersTable.id, id))) > 0 ? 'Autospam' : null
}

/** Returns the leads of these days that a rule hit, among those this person sees. Throws 422 if they are too many. */
export async function findRuleLeads(
  tx: Tx,
  { me, zone }: LeadReader,
  { rule, from, to }: Pick<RuleUndo, 'rule' | 'from' | 'to'>,
): Promise<number[]> {
  // Two queries, because leads and hits may be on different machines.
  const hits = await tx
    .selectDistinct({ id: ruleHitsTable.lead_id })
    .from(ruleHitsTable)
    .where(eq(ruleHitsTable.rule_id, rule))
  const hitIds = hits.map(({ id }) => id)
  const found = await tx
    .select({ id: leadsTable.id })
    .from(leadsTable)
    .where(
      and(
        sql`${leadsTable.id} = any(${sql.param(hitIds)}::int[])`,
        from === null ? undefined : gte(leadsTable.occurred_at, startOfZonedDay(from, zone)),
        to === null ? undefined : lt(leadsTable.occurred_at, endOfZonedDay(to, zone)),
        visibleLeadsCondition(me),
      ),
    )
    .orderBy(leadsTable.id)
    .limit(maxBatchLeads + 1)
  if (found.length > maxBatchLeads) throw validationError({ from: [tooManyMessage] })
  return found.map(({ id }) => id)
}

type LeadSet = Partial<Pick<StoredLead, 'tags' | 'tag_causes' | 'hide'>>

/**
 * Returns a function that resolves what undoing the rule sets on each of these leads, or why there is nothing to do. Tags that
 * people set stay, and a lead that a person hid or that is spam for another reason stays hidden.
 */
export async function createRuleUndo(
  tx: Tx,
  { rule, tag }: RuleUndo,
  leads: StoredLead[],
): Promise<(lead: StoredLead) => { set: LeadSet } | { reason: string }> {
  const findSpam = await readSpamMatcher(tx, leads)
  const hidden = await findLeadsHiddenByPeople(
    tx,
    leads.map(({ id }) => id),
  )
  return (lead) => {
    if (findSpam(lead).some((match) => match.rule !== rule)) return { reason: 'Another rule hits this lead too' }
    const isTagged = lead.tag_causes.some((cause) => cause.tag === tag)
    const tags = isTagged ? lead.tags.filter((one) => one !== tag) : lead.tags
    const isUnhidden = lead.hide && !tags.some((one) => spamTags.includes(one)) && !hidden.has(lead.id)
    if (!isTagged && !isUnhidden) return { reason: 'A person has changed this lead since' }
    return { set: { ...(isTagged && toTagColumns(lead, tags)), ...(isUnhidden && { hide: false }) } }
  }
}

const hidesLead: SQL = sql`${auditTable.before} is not null and ${auditTable.after} ->> 'hide' = '1'`

async function findLeadsHiddenByPeople(tx: Tx, ids: number[]): Promise<Set<number>> {
  const changes = await findPersonChanges(tx, ids, { which: hidesLead })
  return new Set(changes.map(({ lead_id }) => lead_id))
}
