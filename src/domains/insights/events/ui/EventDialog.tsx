import { formatDay } from '#ui/cells/days.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import text from '#ui/theme/text.module.css'
import { EffectSentences } from '../../why/ui/ChangeEffectNote.tsx'
import { type CampaignEvent, campaignEventsContract } from '../contract.ts'
import { campaignEvents } from '../labels.ts'
import { EventLine, getDayOf } from './EventLine.tsx'
import classes from './Events.module.css'

type EventDialogProps = { campaignId: number; events: readonly CampaignEvent[]; onClose: () => void }

/** The events of a mark, and the leads before and after it. */
export default function EventDialog({ campaignId, events, onClose }: EventDialogProps) {
  const [first] = events
  const title = events.length === 1 && first ? campaignEvents[first.kind].label : `${events.length} events`
  return (
    <ModalDialog opened onClose={onClose} title={title} size="lg">
      <ul className={`${classes.events} ${text.dense} ${arrange.ruled}`}>
        {events.map((event) => (
          <li key={event.key}>
            <EventLine event={event} campaignId={campaignId} />
          </li>
        ))}
      </ul>
      {first && <LeadsAround campaignId={campaignId} day={getDayOf(first)} />}
    </ModalDialog>
  )
}

function LeadsAround({ campaignId, day }: { campaignId: number; day: string }) {
  const { data, error, refetch } = useApi(
    campaignEventsContract.effect,
    { params: { id: campaignId }, query: { day } },
    { quiet: true },
  )
  return (
    <section className={classes.around} aria-label="Leads before and after">
      <h3 className={text.dense}>Leads before and after {formatDay(day)}</h3>
      {error && !data && <QueryError what="Leads" error={error} retry={refetch} />}
      {!error && !data && <p className={text.small}>Loading…</p>}
      {data && <EffectSentences effect={data} />}
    </section>
  )
}
