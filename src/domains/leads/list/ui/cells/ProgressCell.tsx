import type { Lead } from '#domains/leads/contract.ts'
import { progressSteps } from '#domains/leads/labels.ts'
import { useEditLead } from '../LeadEditing.tsx'
import classes from './cells.module.css'
import { EditFailureNotice } from './EditFailureNotice.tsx'

/** The sales progress. A click on the current step clears it. */
export function ProgressCell({ lead }: { lead: Lead }) {
  const edit = useEditLead()
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset in each of a thousand cells costs more than it says. */}
      <div className={classes.progress} role="group" aria-label="Progress">
        {progressSteps.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            data-progress={value}
            data-unprinted={lead.client_progress !== value || undefined}
            aria-pressed={lead.client_progress === value}
            title={lead.client_progress === value ? `${label}: click to clear` : undefined}
            onClick={() => edit(lead, 'client_progress', lead.client_progress === value ? null : value)}
          >
            {label}
          </button>
        ))}
      </div>
      <EditFailureNotice id={lead.id} field="client_progress" />
    </>
  )
}
