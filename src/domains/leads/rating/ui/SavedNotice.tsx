import { formatBriefMoney } from '#contract/money.ts'
import { formatDueDay } from '#contract/short-times.ts'
import { type DisputeReason, disputeReasons, disputeReasonTitles } from '#domains/billing/disputes/labels.ts'
import { notLeadProgress, progressLabels } from '#domains/leads/labels.ts'
import { getToday } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import arrange from '#ui/layout/arrange.module.css'
import buttons from '#ui/layout/buttons.module.css'
import text from '#ui/theme/text.module.css'
import { type RatedLead, type RatingFormInput, ratingMessages } from '../contract.ts'
import classes from './screen.module.css'

type LeadDispute = NonNullable<RatedLead['dispute']>
/** The outcome of a save: the server's message with what was given, or why it failed. */
export type SaveOutcome =
  | { saved: string; given: RatingFormInput; dispute: LeadDispute | undefined }
  | { failed: string[] }

/** What was saved, in words, or why it was not. */
export function SaveOutcomeMessage({ outcome }: { outcome: SaveOutcome | null }) {
  return (
    <div role="status" className={classes.said}>
      {outcome && 'saved' in outcome && (
        <div data-kind="ok">
          <p>{outcome.saved}</p>
          <SavedWords given={outcome.given} />
        </div>
      )}
      {outcome && 'failed' in outcome && (
        <div data-kind="bad">
          <b>{ratingMessages.cannotSave}</b>
          {outcome.failed.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </div>
      )}
    </div>
  )
}

function SavedWords({ given }: { given: RatingFormInput }) {
  const words = listSavedWords(given)
  return words.length > 0 ? <b>Saved: {words.join(' · ')}</b> : null
}

/** Returns what a save holds, such as `4 stars`, `Won`, `Value $1,200`. */
function listSavedWords({ trap, rating, progress, reason, company_name, notes, value, profit }: RatingFormInput) {
  if (trap) return []
  return [
    ...(rating ? [String(rating) === '1' ? '1 star' : `${rating} stars`] : []),
    ...(progress ? [progressLabels[progress as keyof typeof progressLabels]] : []), // 1 to 5
    ...(reason ? [disputeReasonTitles[reason]] : []),
    ...(company_name === undefined ? [] : [company_name ? `Company ${company_name}` : 'No company']),
    ...(notes === undefined ? [] : [notes ? 'Your notes' : 'No notes']),
    ...(value === undefined ? [] : [formatSavedAmount('Value', value)]),
    ...(profit === undefined ? [] : [formatSavedAmount('Profit', profit)]),
  ]
}

function formatSavedAmount(label: string, amount: unknown) {
  if (amount === null) return `No ${label.toLowerCase()}`
  return `${label} ${formatBriefMoney(Number(amount))}`
}

/** Returns whether to ask why: the client has just marked the lead, or has not said why yet and the agency has not decided. */
export function asksReason(outcome: SaveOutcome | null, dispute: LeadDispute | undefined): boolean {
  const isMarked = outcome !== null && 'saved' in outcome && outcome.given.progress === notLeadProgress
  if (!dispute) return isMarked
  return dispute.state === 'open' && (isMarked || dispute.reason === null)
}

type ReasonQuestionProps = { chosen: DisputeReason | null; choose: (reason: DisputeReason) => void }

/** Why the lead is none. A choice is saved at once. */
export function ReasonQuestion({ chosen, choose }: ReasonQuestionProps) {
  return (
    <fieldset className={`${arrange.buttons} ${classes.progress}`}>
      <legend>Why is it not a lead for you?</legend>
      {disputeReasons.map((reason) => (
        <label key={reason} className={buttons.choice} data-ring data-hover data-on={chosen === reason || undefined}>
          <input
            type="radio"
            className={text.unseenInput}
            name="reason"
            checked={chosen === reason}
            onChange={() => choose(reason)}
          />
          {disputeReasonTitles[reason]}
        </label>
      ))}
    </fieldset>
  )
}

type NoticedDispute = Pick<LeadDispute, 'state' | 'answer'> & Partial<LeadDispute>

/** The client's Not Lead on a verified lead: when the agency answers, or what it answered. No agency: the lead is not theirs now. */
export function DisputeNotice({ dispute, agency }: { dispute: NoticedDispute; agency?: string }) {
  const { answer, reason } = dispute
  return (
    <section className={classes.card} aria-label="Not a lead">
      <div>
        <p>{describeDispute(dispute, agency)}</p>
        {reason && <p className={text.quiet}>Your reason: {disputeReasonTitles[reason]}</p>}
      </div>
      {answer && <blockquote className={classes.answer}>{answer}</blockquote>}
    </section>
  )
}

function describeDispute({ state, answer_by }: NoticedDispute, agency: string | undefined): string {
  if (state === 'accepted') return "You told us this wasn't a lead, and we agree."
  if (state === 'refused' && agency === undefined) return "You told us then that this wasn't a lead. We answered:"
  if (state === 'refused') return "You told us this wasn't a lead. We reviewed it and it still counts; here's why:"
  if (state === 'settled') return "You told us this wasn't a lead. It went to another company, so it no longer counts."
  const told = `You told us this isn't a lead. ${agency ?? 'We'} will look at it and answer here`
  if (!answer_by) return `${told}.`
  const today = getToday(appConfig.timezone)
  const due = formatDueDay(answer_by, today)
  return answer_by < today
    ? `${told}. The answer was due ${due} and is late.`
    : `${told} within three working days, by ${due}.`
}
