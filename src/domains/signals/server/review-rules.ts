import type { AppContext } from '#domains/app-context.ts'
import { findWrongHits, readSpamRules } from '#domains/leads/public.ts'
import { signalFindingsTable } from '../schema.ts'

const namedLeads = 20

/** Opens a signal for each rule that hides good leads, and closes it once the rule no longer does. */
export async function reviewRules({ db, log }: Pick<AppContext, 'db' | 'log'>): Promise<void> {
  const findings = await db.transaction(async (tx) => {
    const wrong = await findWrongHits(tx)
    const rules = (await readSpamRules(tx, wrong)).filter(({ id }) => wrong.has(id))
    const found = rules.map((rule): typeof signalFindingsTable.$inferInsert => {
      const label = 'keyword' in rule ? `keyword '${rule.keyword}'` : `spammer ${rule.spammer}`
      const leads = wrong.get(rule.id)!
      const [good, all] = [leads.length, rule.hits]
      const which = all === 1 ? 'The only lead' : `${good} of the ${all} leads`
      const says = `${which} that it hid in the last 12 months ${good === 1 ? 'was' : 'were'} since verified, unhidden, rated 4 or 5, or called again and answered.`
      return {
        kind: 'rule_hides_good_leads',
        subject_type: 'rule',
        subject_id: String(rule.id),
        subject_label: label,
        title: `The ${label} hides good leads`,
        severity: 'warning',
        evidence: { says, hits: all, wrong: good, leads: leads.slice(-namedLeads) },
      }
    })
    await tx.delete(signalFindingsTable)
    if (found.length > 0) await tx.insert(signalFindingsTable).values(found)
    return found
  })
  log.info({ rules: findings.length }, 'reviewed the spam rules')
}
