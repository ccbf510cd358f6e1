import type { DisputeState } from '#domains/billing/disputes/labels.ts'
import type { RatedLead } from '../contract.ts'
import classes from './screen.module.css'

const disputeSentences: Record<DisputeState, string> = {
  open: 'You said that this is not a lead. We are looking into it.',
  accepted: 'You said that this is not a lead, and we agree.',
  refused: 'You said that this is not a lead. We looked into it and keep it as one.',
}

/** The state of the client's Not Lead, with the agency's answer. */
export function DisputeNotice({ dispute: { state, answer } }: { dispute: NonNullable<RatedLead['dispute']> }) {
  return (
    <section className={classes.card} aria-label="Not a lead">
      <p>{disputeSentences[state]}</p>
      {answer && <blockquote className={classes.answer}>{answer}</blockquote>}
    </section>
  )
}
