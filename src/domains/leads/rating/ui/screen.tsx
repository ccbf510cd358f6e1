import { type ReactNode, useEffect, useRef, useState } from 'react'
import { notLeadProgress } from '#domains/leads/labels.ts'
import { ApiError, type CallInput, callApi } from '#ui/data/api.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { PublicLoading, PublicNotice } from '#ui/layout/PublicPage.tsx'
import { useDocumentTitle } from '#ui/layout/Screen.tsx'
import { type RatedLead, type RatingFormInput, ratingContract, ratingFormSchema, ratingMessages } from '../contract.ts'
import { DisputeNotice } from './DisputeNotice.tsx'
import { RatedLeadFacts } from './LeadFacts.tsx'
import { usePageSeen } from './page-seen.ts'
import { RatingForm, type SaveFeedback } from './RatingForm.tsx'
import { type SaveOutcome, SaveOutcomeMessage } from './SavedMessage.tsx'
import classes from './screen.module.css'

/** The feedback in the mail's link. */
type LinkFeedback = Pick<RatingFormInput, 'rating' | 'progress' | 'trap'>

/** The page of a mail's star link: the star is saved when the page opens. */
export default function RateLeadScreen() {
  const [{ rate, trap }] = useSearchParams()
  if (trap) return <RateLeadPage fromLink={{ trap: true }} />
  const { data } = ratingFormSchema.safeParse({ rating: rate })
  return <RateLeadPage fromLink={data?.rating ? { rating: data.rating } : null} />
}

/** The page of a mail's 'not a lead' link. */
export function RateNotLead() {
  return <RateLeadPage fromLink={{ progress: notLeadProgress }} />
}

/** The page of the lead in the URL, without sign-in. */
function RateLeadPage({ fromLink }: { fromLink: LinkFeedback | null }) {
  useDocumentTitle('Rate Lead')
  const [{ lead, auth_key }] = useSearchParams()
  if (!lead) return <RatingErrorPage>{ratingMessages.notFound}</RatingErrorPage>
  if (!auth_key) return <RatingErrorPage>{ratingMessages.denied}</RatingErrorPage>
  return <OpenedLeadPage leadId={lead} authKey={auth_key} fromLink={fromLink} />
}

type LeadKeyProps = { leadId: string; authKey: string }

function OpenedLeadPage({ leadId, authKey, fromLink }: LeadKeyProps & { fromLink: LinkFeedback | null }) {
  const key = { params: { leadId }, query: { auth_key: authKey } }
  const { data: lead, error } = useApi(ratingContract.get, key, { kept: true, quiet: true })
  if (error) return <RatingErrorPage>{getServerMessage(error) ?? ratingMessages.notFound}</RatingErrorPage>
  if (!lead) return <PublicLoading />
  const save = async (feedback: RatingFormInput): Promise<SaveOutcome> => {
    try {
      return { saved: (await callApi(ratingContract.save, { ...key, body: feedback })).message }
    } catch (problem) {
      return { failed: getFailureReasons(problem) }
    }
  }
  return <RatingPage lead={lead} fromLink={fromLink} save={save} recordingOf={() => fetchRecordingUrl(key)} />
}

/** Reads the lead again for a fresh URL: the page may have been open longer than a URL is valid. */
async function fetchRecordingUrl(key: CallInput<typeof ratingContract.get>): Promise<string> {
  const { recording } = await callApi(ratingContract.get, key)
  if (!recording) throw new Error('The recording can no longer be played')
  return recording
}

type RatingPageProps = {
  lead: RatedLead
  fromLink: LinkFeedback | null
  save: SaveFeedback
  recordingOf: () => Promise<string>
}

function RatingPage({ lead, fromLink, save, recordingOf }: RatingPageProps) {
  const [byLink, setByLink] = useState<SaveOutcome | null>(null)
  // Once per opening of the page, however often it renders.
  const isSaved = useRef(false)
  useEffect(() => {
    if (!fromLink || isSaved.current) return
    isSaved.current = true
    void save({ ...fromLink, auto: true }).then(setByLink)
  })

  const { trap, ...chosen } = fromLink ?? {}
  const { rating } = chosen
  usePageSeen(byLink !== null && 'saved' in byLink && Boolean(rating), () => {
    void save({ rating, auto: true, seen: true })
  })
  return (
    <article className={classes.page}>
      <SaveOutcomeMessage outcome={byLink} />
      {lead.dispute && <DisputeNotice dispute={lead.dispute} />}
      <RatedLeadFacts lead={lead} recordingOf={recordingOf} />
      <RatingForm lead={{ ...lead, ...chosen } as RatedLead} save={save} onSave={() => setByLink(null)} />
    </article>
  )
}

function RatingErrorPage({ children }: { children: ReactNode }) {
  return (
    <PublicNotice title={children}>
      <p>Please open the link in your email again, or ask the sender for a new one.</p>
    </PublicNotice>
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
