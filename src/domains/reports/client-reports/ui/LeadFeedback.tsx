import { NativeSelect } from '@mantine/core'
import { leadsContract } from '#domains/leads/contract.ts'
import { progressSteps } from '#domains/leads/labels.ts'
import { useAction } from '#ui/data/useAction.ts'
import arrange from '#ui/layout/arrange.module.css'
import type { OpenLead } from '../contract.ts'
import classes from './Report.module.css'

const starValues = ['1', '2', '3', '4', '5'] as const
const progressChoices = [
  { value: '', label: 'No progress' },
  ...progressSteps.map(({ value, label }) => ({ value: String(value), label })),
]

type Feedback = { rating: OpenLead['rating']; client_progress: OpenLead['progress'] }
/** What was given since the page was opened, by lead: one may be in several tables. */
export type GivenFeedback = Readonly<Record<number, Partial<Feedback>>>
export type GiveFeedback = (id: number, change: Partial<Feedback>) => void

type LeadFeedbackProps = { lead: OpenLead; given: GivenFeedback; give: GiveFeedback }

/** How good a lead was and how far it is, saved with each click. A rated lead stays in its row until the page is opened again. */
export function LeadFeedback({ lead, given, give }: LeadFeedbackProps) {
  const shown: Feedback = { rating: lead.rating, client_progress: lead.progress, ...given[lead.id] }
  const { run } = useAction(leadsContract.update, { quiet: true })
  async function save(change: Partial<Feedback>) {
    const { rating, client_progress } = shown
    give(lead.id, change)
    const outcome = await run({ params: { id: lead.id }, body: change })
    // The other of the two may have been saved since.
    if (!outcome.done) give(lead.id, 'rating' in change ? { rating } : { client_progress })
  }
  const name = lead.name ?? lead.when
  return (
    <div className={arrange.buttons}>
      <fieldset className={classes.stars} aria-label={`Rating of ${name}`}>
        {starValues.map((star) => (
          <button
            key={star}
            type="button"
            aria-label={star === '1' ? '1 star' : `${star} stars`}
            aria-pressed={shown.rating === star}
            data-full={(shown.rating !== null && shown.rating >= star) || undefined}
            onClick={() => void save({ rating: shown.rating === star ? null : star })}
          >
            ★
          </button>
        ))}
      </fieldset>
      <NativeSelect
        aria-label={`Progress of ${name}`}
        size="xs"
        data={progressChoices}
        value={shown.client_progress === null ? '' : String(shown.client_progress)}
        // The choices are the steps.
        onChange={(event) => void save({ client_progress: Number(event.currentTarget.value) || null } as Feedback)}
      />
    </div>
  )
}
