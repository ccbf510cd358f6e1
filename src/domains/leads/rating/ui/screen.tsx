import { type ReactNode, useEffect, useRef, useState } from 'react'
import { notLead } from '#domains/leads/labels.ts'
import { ApiError, call, type Input } from '#ui/data/api.ts'
import { useAddress } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { useTitle } from '#ui/layout/Screen.tsx'
import { type RatingForm as Feedback, type RatedLead, rateWords, rating, ratingForm } from '../contract.ts'
import { LeadFacts } from './LeadFacts.tsx'
import { RatingForm } from './RatingForm.tsx'
import { type Outcome, Said } from './SavedMessage.tsx'
import classes from './screen.module.css'

/** Saves and says how it went. */
export type Save = (feedback: Feedback) => Promise<Outcome>

/** What the mail's link said of the lead by being followed. */
type FromLink = Pick<Feedback, 'rating' | 'progress' | 'trap'>

/** Where a star of a mail leads: the star is saved as the page opens. */
export default function RateLead() {
  const [{ rate, trap }] = useAddress()
  if (trap) return <LeadPage fromLink={{ trap: true }} />
  const { data } = ratingForm.safeParse({ rating: rate })
  return <LeadPage fromLink={data?.rating ? { rating: data.rating } : null} />
}

/** Where 'not a lead' leads. */
export function RateNotLead() {
  return <LeadPage fromLink={{ progress: notLead }} />
}

/** The lead that the address names and opens; nobody signs in here. */
function LeadPage({ fromLink }: { fromLink: FromLink | null }) {
  useTitle('Rate Lead')
  const [{ lead, auth_key }] = useAddress()
  if (!lead) return <Sorry>{rateWords.notFound}</Sorry>
  if (!auth_key) return <Sorry>{rateWords.denied}</Sorry>
  return <Opened leadId={lead} authKey={auth_key} fromLink={fromLink} />
}

type Key = { leadId: string; authKey: string }

function Opened({ leadId, authKey, fromLink }: Key & { fromLink: FromLink | null }) {
  const key = { params: { leadId }, query: { auth_key: authKey } }
  const { data: lead, error } = useApi(rating.get, key, { kept: true, quiet: true })
  if (error) return <Sorry>{saidBy(error) ?? rateWords.notFound}</Sorry>
  if (!lead) return <p role="status" className={classes.wait} aria-label="Loading" />
  const save = async (feedback: Feedback): Promise<Outcome> => {
    try {
      return { saved: (await call(rating.save, { ...key, body: feedback })).message }
    } catch (problem) {
      return { failed: reasons(problem) }
    }
  }
  return <RatePage lead={lead} fromLink={fromLink} save={save} recordingOf={() => freshRecording(key)} />
}

/** The page may have been open for longer than an address lives. Reading the lead again changes nothing. */
async function freshRecording(key: Input<typeof rating.get>): Promise<string> {
  const { recording } = await call(rating.get, key)
  if (!recording) throw new Error('The recording cannot be played any more')
  return recording
}

type PageProps = { lead: RatedLead; fromLink: FromLink | null; save: Save; recordingOf: () => Promise<string> }

function RatePage({ lead, fromLink, save, recordingOf }: PageProps) {
  const [byLink, setByLink] = useState<Outcome | null>(null)
  // Once for each time the page is opened, however often it is drawn.
  const isSaved = useRef(false)
  useEffect(() => {
    if (!fromLink || isSaved.current) return
    isSaved.current = true
    void save({ ...fromLink, auto: true }).then(setByLink)
  })

  const { trap, ...chosen } = fromLink ?? {}
  return (
    <article className={classes.page}>
      <Said outcome={byLink} />
      <LeadFacts lead={lead} recordingOf={recordingOf} />
      <RatingForm lead={{ ...lead, ...chosen } as RatedLead} save={save} onSave={() => setByLink(null)} />
    </article>
  )
}

function Sorry({ children }: { children: ReactNode }) {
  return (
    <div className={classes.sorry}>
      <h1>{children}</h1>
      <p>Please open the link in your email again, or ask whoever sent it to you for a new one.</p>
    </div>
  )
}

/** The server's own message; a failure without one has none. */
function saidBy({ body }: ApiError): string | null {
  if (typeof body !== 'object' || body === null || !('message' in body)) return null
  return typeof body.message === 'string' ? body.message : null
}

function reasons(problem: unknown): string[] {
  if (!(problem instanceof ApiError)) return []
  const lines = Object.values(problem.errors).flat()
  return lines.length > 0 ? lines : [saidBy(problem) ?? problem.message]
}
