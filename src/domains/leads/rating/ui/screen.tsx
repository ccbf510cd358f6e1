import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatZonedTime } from '#contract/zoned-time.ts'
import { AgencyHead, AgencyNotice, FailedPage, getAgencyLook } from '#domains/agency/ui/public.ts'
import { documentMessages } from '#domains/documents/labels.ts'
import { notLeadProgress } from '#domains/leads/labels.ts'
import { EmailLink } from '#ui/cells/EmailCell.tsx'
import { PhoneLink } from '#ui/cells/PhoneCell.tsx'
import { trimLink } from '#ui/data/address-secrets.ts'
import { ApiError, type CallInput, callApi } from '#ui/data/api.ts'
import { parseSearch, type SearchParams, useSearchParams } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import arrange from '#ui/layout/arrange.module.css'
import { RecordingPlayer } from '#ui/layout/Player.tsx'
import { PublicLoading } from '#ui/layout/PublicPage.tsx'
import { useDocumentTitle } from '#ui/layout/Screen.tsx'
import text from '#ui/theme/text.module.css'
import {
  type RatedLead,
  type RatingFormInput,
  ratingContract,
  ratingFormSchema,
  ratingMessages,
  reassignedSchema,
} from '../contract.ts'
import { RatingForm, type SaveFeedback } from './RatingForm.tsx'
import { asksReason, DisputeNotice, ReasonQuestion, type SaveOutcome, SaveOutcomeMessage } from './SavedNotice.tsx'
import classes from './screen.module.css'

/** The feedback in the mail's link. */
type LinkFeedback = Pick<RatingFormInput, 'rating' | 'progress' | 'trap'>

/** The page of a mail's star link: the star is saved when the page opens. Its Listen link saves nothing. */
export default function RateLeadScreen() {
  const { rate, trap, listen, test } = useMailLink()
  if (test) return <TestLinkPage />
  if (trap) return <RateLeadPage fromLink={{ trap: true }} />
  if (listen) return <RateLeadPage fromLink={null} listens />
  const { data } = ratingFormSchema.safeParse({ rating: rate })
  return <RateLeadPage fromLink={data?.rating ? { rating: data.rating } : null} />
}

/** The page of a mail's 'not a lead' link. */
export function RateNotLead() {
  return <RateLeadPage fromLink={{ progress: notLeadProgress }} />
}

/** The page of the lead in the URL, without sign-in. */
function RateLeadPage({ fromLink, listens = false }: { fromLink: LinkFeedback | null; listens?: boolean }) {
  useDocumentTitle('Rate Lead')
  const { lead, auth_key } = useMailLink()
  if (!lead) return <AgencyNotice title={ratingMessages.notFound}>{linkHint}</AgencyNotice>
  if (!auth_key) return <AgencyNotice title={ratingMessages.denied}>{linkHint}</AgencyNotice>
  return <OpenedLeadPage leadId={lead} authKey={auth_key} opened={{ feedback: fromLink, listens }} />
}

/** Reads the link as it was mailed, also where a program has encoded it once more, with `&amp;` or `%26`, or a sentence has ended behind it. */
function useMailLink(): SearchParams {
  const [search] = useSearchParams()
  const pairs = Object.entries(search).map(([name, value]) => (value === '' ? name : `${name}=${value}`))
  const parts = Object.entries(parseSearch(pairs.join('&')))
  return Object.fromEntries(parts.map(([name, value]) => [name.replace(/^(amp;)+/, ''), trimLink(value)]))
}

/** What the link of a mail brings: the feedback that is saved as the page opens, or the wish to hear the recording first. */
type OpenedLink = { feedback: LinkFeedback | null; listens: boolean }

function OpenedLeadPage({ leadId, authKey, opened }: { leadId: string; authKey: string; opened: OpenedLink }) {
  const key = { params: { leadId }, query: { auth_key: authKey } }
  const { data: lead, error } = useApi(ratingContract.get, key, { kept: true, quiet: true })
  if (error?.status === 410) return <ReassignedLeadPage error={error} />
  if (error)
    return (
      <FailedPage error={error} title={getServerMessage(error) ?? ratingMessages.notFound}>
        <p>{documentMessages.expired}</p>
      </FailedPage>
    )
  if (!lead) return <PublicLoading />
  const save = async (feedback: RatingFormInput): Promise<SaveOutcome> => {
    try {
      const { message, dispute } = await callApi(ratingContract.save, { ...key, body: feedback })
      return { saved: message, given: feedback, dispute }
    } catch (problem) {
      return { failed: getFailureReasons(problem) }
    }
  }
  return <RatingPage lead={lead} opened={opened} save={save} recordingOf={() => fetchRecordingUrl(key)} />
}

/** Reads the lead again for a fresh URL: the page may have been open longer than a URL is valid. */
async function fetchRecordingUrl(key: CallInput<typeof ratingContract.get>): Promise<string> {
  const { recording } = await callApi(ratingContract.get, key)
  if (!recording) throw new Error('The recording can no longer be played')
  return recording
}

type RatingPageProps = {
  lead: RatedLead
  opened: OpenedLink
  save: SaveFeedback
  recordingOf: () => Promise<string>
}
/** The last save, and where it was made: beside that stands what became of it. */
type LastSave = { at: 'page' | 'form'; outcome: SaveOutcome | null }

function RatingPage({ lead, opened: { feedback, listens }, save, recordingOf }: RatingPageProps) {
  const [last, setLast] = useState<LastSave>({ at: 'page', outcome: null })
  const [dispute, setDispute] = useState(lead.dispute)
  const [reason, setReason] = useState(dispute?.reason ?? null)
  const [isWhyAsked, setWhyAsked] = useState(asksReason(null, dispute))
  const turn = useRef<Promise<unknown>>(Promise.resolve())
  const [isAnswered, setAnswered] = useState(false)
  const [star, setStar] = useState<RatedLead['rating']>(null)
  async function saveAt(at: LastSave['at'], given: RatingFormInput): Promise<SaveOutcome> {
    setLast({ at, outcome: null })
    // One after the other: the reasons can be walked through with the arrow keys.
    const saving = turn.current.then(() => save(given))
    turn.current = saving
    const outcome = await saving
    setLast({ at, outcome })
    if ('saved' in outcome) {
      setWhyAsked(asksReason(outcome, outcome.dispute))
      setDispute(outcome.dispute)
      setReason(given.reason ?? outcome.dispute?.reason ?? null)
    }
    return outcome
  }
  // Once per opening of the page, however often it renders.
  const isSaved = useRef(false)
  useEffect(() => {
    if (!feedback || isSaved.current) return
    isSaved.current = true
    void saveAt('page', { ...feedback, auto: true })
  })

  const { trap, ...chosen } = feedback ?? {}
  const { rating } = chosen
  const { earlier_choice } = lead
  const isAsked = Boolean(rating && earlier_choice && earlier_choice !== rating && !isAnswered)
  const isSavedByLink = last.at === 'page' && last.outcome !== null && 'saved' in last.outcome
  const confirmed = { rating, auto: true, seen: true }
  usePageSeen(
    isSavedByLink && Boolean(rating) && !isAsked && !isAnswered,
    (isUsed) => void save(isUsed ? confirmed : { ...confirmed, idle: true }),
  )
  const answer = (given: RatingFormInput, star: RatedLead['rating'] = null) => {
    setAnswered(true)
    setStar(star)
    void saveAt('page', given)
  }
  const notice = (at: LastSave['at']) =>
    at === last.at && (
      <>
        <SaveOutcomeMessage outcome={last.outcome} />
        {isWhyAsked && (
          <ReasonQuestion chosen={reason} choose={(reason) => void saveAt(at, { progress: notLeadProgress, reason })} />
        )}
        {dispute && <DisputeNotice dispute={dispute} agency={lead.agency.name} />}
      </>
    )
  return (
    <article className={classes.page} {...getAgencyLook(lead.agency)}>
      {isAsked
        ? isSavedByLink && (
            <section className={classes.card} aria-label="Your stars">
              <p>{`You chose ${earlier_choice} ${earlier_choice === '1' ? 'star' : 'stars'} a moment ago. Is it ${rating}?`}</p>
              <div className={arrange.buttons}>
                <Button size="md" onClick={() => answer(confirmed)}>{`Yes, ${rating}`}</Button>
                <Button size="md" variant="default" onClick={() => answer({ rating: earlier_choice }, earlier_choice)}>
                  {`No, ${earlier_choice}`}
                </Button>
              </div>
            </section>
          )
        : notice('page')}
      <RatedLeadFacts lead={lead} listens={listens} recordingOf={recordingOf} />
      <RatingForm
        lead={{ ...lead, ...chosen, ...(star && { rating: star }) } as RatedLead}
        save={(given) => {
          setAnswered(true)
          return saveAt('form', given)
        }}
      >
        {notice('form')}
      </RatingForm>
    </article>
  )
}

const TestLinkPage = () => (
  <AgencyNotice title="This was a test">
    <p>The links of a test email save nothing. In the email of a lead they open the lead.</p>
  </AgencyNotice>
)

const linkHint = <p>Please open the link in your email again, or ask the sender for a new one.</p>

/** The lead belongs to another client now. A Not Lead that the agency has answered keeps its answer. */
function ReassignedLeadPage({ error }: { error: ApiError }) {
  const { dispute } = reassignedSchema.safeParse(error.body).data ?? {}
  return (
    <>
      <AgencyNotice title={getServerMessage(error) ?? ratingMessages.reassigned}>
        <p>The lead went to another company, so there is nothing left for you to do.</p>
      </AgencyNotice>
      {dispute && (
        <div className={classes.page}>
          <DisputeNotice dispute={dispute} />
        </div>
      )}
    </>
  )
}

/** Returns the server's message; null if there is none. */
function getServerMessage({ body }: ApiError): string | null {
  if (typeof body !== 'object' || body === null || !('message' in body)) return null
  return typeof body.message === 'string' ? body.message : null
}

function getFailureReasons(problem: unknown): string[] {
  if (!(problem instanceof ApiError)) return []
  const lines = Object.values(problem.errors).flat()
  return lines.length > 0 ? lines : [getServerMessage(problem) ?? problem.message]
}

/** The longest pause in a scanner's burst. */
const viewMs = 10_000
const usageEvents = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'keydown'] as const

/** While `isAsked`, calls `seen` once when a person uses the page, and once before when it has been visible for ten seconds. */
function usePageSeen(isAsked: boolean, seen: (isUsed: boolean) => void) {
  const latest = useRef(seen)
  latest.current = seen
  useEffect(() => {
    if (!isAsked) return
    const watch = new AbortController()
    let timer: number | undefined
    const restartTimer = () => {
      window.clearTimeout(timer)
      if (document.visibilityState === 'visible') timer = window.setTimeout(() => latest.current(false), viewMs)
    }
    const onUse = (event: Event) => {
      if (!event.isTrusted || document.visibilityState !== 'visible') return
      watch.abort()
      latest.current(true)
    }
    const options = { passive: true, signal: watch.signal }
    for (const name of usageEvents) window.addEventListener(name, onUse, options)
    document.addEventListener('visibilitychange', restartTimer, options)
    watch.signal.addEventListener('abort', () => window.clearTimeout(timer))
    restartTimer()
    return () => watch.abort()
  }, [isAsked])
}

/** Says when it came as emails and reports do: Sun, Mar 1, 2026, 6:05 PM MST. */
const formatWhen = ({ date, time, timezone_name }: RatedLead) =>
  formatZonedTime(new Date(`${date}T${time.slice(0, 5)}Z`), 'UTC').replace(/UTC$/, timezone_name)

/** The lead for its client. Empty fields are left out. */
function RatedLeadFacts({
  lead,
  listens,
  recordingOf,
}: {
  lead: RatedLead
  listens: boolean
  recordingOf: () => Promise<string>
}) {
  const recording = (
    <LeadFact label="Recording" isLong={lead.recording !== null}>
      {lead.type === 'Call' &&
        (lead.recording ? (
          <RecordingPlayer length={null} addressOf={recordingOf} source={listens ? lead.recording : null} />
        ) : (
          'No recording'
        ))}
    </LeadFact>
  )
  return (
    <section className={classes.card} aria-labelledby="lead">
      <AgencyHead agency={lead.agency} />
      <header className={text.breaking}>
        <p className={text.medium}>{lead.campaign}</p>
        <h1 id="lead">{lead.name ?? 'Lead'}</h1>
        <p className={`${text.quiet} ${text.numbers}`}>
          {lead.type} · {formatWhen(lead)}
        </p>
      </header>
      <dl className={classes.facts}>
        {listens && recording}
        <LeadFact label="Phone">{lead.phone && <PhoneLink phone={lead.phone} />}</LeadFact>
        <LeadFact label="Email">{lead.email && <EmailLink email={lead.email} />}</LeadFact>
        <LeadFact label="Location">{lead.location}</LeadFact>
        {!listens && recording}
        <LeadFact label="Tags">{lead.tags.join(', ')}</LeadFact>
        <LeadFact label="Message" isLong>
          {lead.message}
        </LeadFact>
        <LeadFact label="Notes" isLong>
          {lead.notes}
        </LeadFact>
      </dl>
    </section>
  )
}

function LeadFact({ label, isLong, children }: { label: string; isLong?: boolean; children: ReactNode }) {
  if (!children) return null
  return (
    <div data-wide={isLong || undefined}>
      <dt className={text.caption}>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
