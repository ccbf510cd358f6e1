import type { UseQueryResult } from '@tanstack/react-query'
import { formatPhone } from '#contract/phones.ts'
import { formatDay } from '#ui/cells/days.ts'
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
        Hits {hits.toLocaleString('en-US')} of {of.toLocaleString('en-US')} leads of the last 12 months:{' '}
        {verified.toLocaleString('en-US')} verified, {won.toLocaleString('en-US')} won, worth $
        {value.toLocaleString('en-US')}.
      </p>
      {hits > 0 && (
        <>
          <p>
            {campaigns
              .slice(0, maxShown)
              .map(({ name, hits }) => `${name ?? 'No campaign'} (${hits.toLocaleString('en-US')})`)
              .join(', ')}
            {campaigns.length > maxShown && ` and ${campaigns.length - maxShown} more campaigns`}
          </p>
          <ul aria-label="The newest leads that it hits">
            {leads.map((lead) => (
              <li key={lead.id}>
                {formatDay(lead.lead_date)} {lead.lead_name ?? (formatPhone(lead.lead_phone ?? '') || lead.lead_email)}{' '}
                {lead.message?.slice(0, 80)}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
