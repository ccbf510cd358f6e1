import { NativeSelect } from '@mantine/core'
import { useRef, useState } from 'react'
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
export type FeedbackProps = {
  /** What was given since the page was opened, by lead: one may be in several tables. */
  given: Readonly<Record<number, Partial<Feedback>>>
  /** Shows and saves one of the two. */
  give: (id: number, before: Partial<Feedback>, change: Partial<Feedback>) => void
}

/** Keeps what is given on the page. */
export function useFeedback(): FeedbackProps {
  const [given, setGiven] = useState<FeedbackProps['given']>({})
  const { run } = useAction(leadsContract.update, { quiet: true })
  /** By lead and field, whose saves go one after the other. Each resolves to what is saved after it. */
  const turns = useRef<Record<string, Promise<Partial<Feedback>>>>({})
  const show = (id: number, fields: Partial<Feedback>) =>
    setGiven((now) => ({ ...now, [id]: { ...now[id], ...fields } }))
  async function give(id: number, before: Partial<Feedback>, change: Partial<Feedback>) {
    show(id, change)
    const key = `${id} ${Object.keys(change)}`
    const turn = (turns.current[key] ?? Promise.resolve(before)).then(async (saved) => {
      const { done } = await run({ params: { id }, body: change })
      return done ? change : saved
    })
    turns.current[key] = turn
    const saved = await turn
    // What was chosen since is shown until its own save has ended.
    if (turns.current[key] === turn) show(id, saved)
  }
  return { given, give: (...choice) => void give(...choice) }
}

/** How good a lead was and how far it is, saved with each click. A rated lead stays in its row until the page is opened again. */
export function LeadFeedback({ lead, given, give }: FeedbackProps & { lead: OpenLead }) {
  const { rating, client_progress }: Feedback = {
    rating: lead.rating,
    client_progress: lead.progress,
    ...given[lead.id],
  }
  const advance = (to: number) =>
    give(lead.id, { client_progress }, { client_progress: to || null } as Partial<Feedback>) // the choices are the steps
  const name = lead.name ?? lead.when
  return (
    <div className={arrange.buttons}>
      <fieldset className={classes.stars} aria-label={`Rating of ${name}`}>
        {starValues.map((star) => (
          <button
            key={star}
            type="button"
            aria-label={star === '1' ? '1 star' : `${star} stars`}
            aria-pressed={rating === star}
            data-full={(rating !== null && rating >= star) || undefined}
            onClick={() => give(lead.id, { rating }, { rating: rating === star ? null : star })}
          >
            ★
          </button>
        ))}
      </fieldset>
      <NativeSelect
        aria-label={`Progress of ${name}`}
        size="xs"
        data={progressChoices}
        value={client_progress === null ? '' : String(client_progress)}
        onChange={(event) => advance(Number(event.currentTarget.value))}
      />
    </div>
  )
}
