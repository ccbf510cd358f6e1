import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { AddClientSiteButton } from '#domains/sites/client/ui/public.ts'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import text from '#ui/theme/text.module.css'
import { ShowMapButton } from '../../area/ui/ShowMap.tsx'
import { WorkingHoursButton } from '../../hours/ui/WorkingHoursButton.tsx'
import { TermsButton } from '../../terms/ui/TermsButton.tsx'
import { ReadEditCampaignButton } from '../../ui/ReadEditCampaignButton.tsx'
import { type HandoverKey, type HandoverStep, handoverContract } from '../contract.ts'
import classes from './HandoverSteps.module.css'
import { TestLeadButton } from './TestLeadButton.tsx'

type NamedCampaign = { id: number; name: string }
type HandoverStepsProps = { campaign: NamedCampaign; className?: string | undefined }

const stepTitles: Record<HandoverKey, string> = {
  site: 'Site is live',
  arrivals: 'Leads arrive',
  mail: 'Client’s email works',
  hours: 'Working hours',
  area: 'Area',
  terms: 'Terms',
  target: 'Target',
}

/** A site's check and an email end by themselves: until then the list is read again. */
const readAgainMs = 5000

/** What must be true of a campaign before it is handed over to its client: ticks, and what does each open one. */
export default function HandoverSteps({ campaign, className }: HandoverStepsProps) {
  const allowed = handoverContract.read.allow(useCurrentUser())
  const query = useApi(handoverContract.read, { params: { id: campaign.id } }, { enabled: allowed, quiet: true })
  const { data: steps, error, refetch } = query
  const open = steps?.filter(({ done }) => !done) ?? []
  const isWaiting = open.some(({ key }) => waitingKeys.has(key))
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => void refetch(), readAgainMs)
    return () => clearInterval(timer)
  }, [isWaiting, refetch])
  if (!allowed) return null
  return (
    <section className={`${classes.handover} ${className ?? ''}`} aria-label="Before it is handed over" data-wide>
      <details open={open.length > 0 || !steps}>
        <summary>
          <h2>Before it is handed over</h2>{' '}
          {steps && (
            <span className={text.count}>
              {open.length === 0 ? `All ${steps.length} are done` : `${steps.length - open.length} of ${steps.length}`}
            </span>
          )}
        </summary>
        {error && !steps && <QueryError what="The list" error={error} retry={refetch} />}
        <ul>
          {steps?.map((step) => (
            <HandoverItem key={step.key} step={step} campaign={campaign} />
          ))}
        </ul>
      </details>
    </section>
  )
}

const waitingKeys: ReadonlySet<HandoverKey> = new Set(['site', 'arrivals', 'mail'])

function HandoverItem({ step, campaign }: { step: HandoverStep; campaign: NamedCampaign }) {
  const { key, done, says, at, door } = step
  const Icon = done ? IconCircleCheckFilled : IconCircle
  const act = renderAct(step, campaign)
  return (
    <li>
      <Icon data-kind={done ? 'ok' : undefined} size={18} aria-label={done ? 'Done' : 'Open'} role="img" />
      <div>
        {act || done ? <b>{stepTitles[key]}</b> : <Link to={door}>{stepTitles[key]}</Link>}
        <span className={text.small}>
          {says}
          {at && ` · ${formatInstant(at)}`}
        </span>
        {act}
      </div>
    </li>
  )
}

/** Returns the button that does an open step here. A test lead can be sent again. */
function renderAct({ key, done, door }: HandoverStep, campaign: NamedCampaign): ReactNode {
  if (key === 'mail') return <TestLeadButton campaign={campaign} />
  if (done) return null
  switch (key) {
    case 'site':
      return door.startsWith('/campaign/') ? <AddClientSiteButton campaign={campaign} /> : null
    case 'hours':
      return <WorkingHoursButton campaign={campaign} text="Set working hours" />
    case 'area':
      return <ShowMapButton campaign={campaign} text="Draw the area" />
    case 'terms':
      return <TermsButton campaign={campaign} text="Set terms" />
    case 'target':
      return <ReadEditCampaignButton id={campaign.id} text="Set target" />
    default:
      return null
  }
}
