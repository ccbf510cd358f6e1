import type { UseQueryResult } from '@tanstack/react-query'
import { formatMoney } from '#contract/money.ts'
import { formatLeadCount } from '#domains/leads/batch/ui/batch-words.ts'
import { getLeadName } from '#domains/leads/lead-name.ts'
import { formatDay } from '#ui/cells/days.ts'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import text from '#ui/theme/text.module.css'
import type { RuleRehearsal } from '../contract.ts'
import classes from './RehearsedHits.module.css'

/** Shows what the rule being typed would have hit. */
export function RehearsedHits({ answer }: { answer: UseQueryResult<RuleRehearsal> }) {
  return (
    <output className={classes.rehearsal}>
      {answer.data ? <RehearsalNumbers found={answer.data} /> : answer.isError ? answer.error.message : 'Counting…'}
    </output>
  )
}

/** How long after the last keystroke the rule is rehearsed, in milliseconds. */
export const rehearsalDelay = 400
const maxShown = 5

function RehearsalNumbers({ found: { hits, of, verified, won, value, campaigns, leads } }: { found: RuleRehearsal }) {
  return (
    <>
      <p>
        Hits {hits.toLocaleString('en-US')} of {formatLeadCount(of)} of the last 12 months:{' '}
        {verified.toLocaleString('en-US')} verified, {won.toLocaleString('en-US')} won, worth {formatMoney(value)}.
      </p>
      {hits > 0 && (
        <>
          <p>
            {campaigns
              .slice(0, maxShown)
              .map(({ name, hits }) => `${name ?? 'No campaign'} (${hits.toLocaleString('en-US')})`)
              .join(', ')}
            {campaigns.length > maxShown && ` and ${(campaigns.length - maxShown).toLocaleString('en-US')} more`}
          </p>
          <ul className={text.prose} aria-label="The newest leads that it hits">
            {leads.map((lead) => (
              <li key={lead.id}>
                {formatDay(lead.lead_date)}{' '}
                <RecordLink kind="lead" id={lead.id}>
                  {getLeadName(lead)}
                </RecordLink>{' '}
                {lead.message?.slice(0, 80)}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
