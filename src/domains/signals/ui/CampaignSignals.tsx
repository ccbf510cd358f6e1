import { useCurrentUser } from '#domains/access/ui/public.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { signalsContract } from '../contract.ts'
import { groupFamilies } from './group-signals.ts'
import { SignalSkeleton } from './HomeSignals.tsx'
import { SignalCards, useCardFocus } from './SignalCards.tsx'
import classes from './Signals.module.css'
import { useSignals } from './useSignals.ts'

/** The open signals of one campaign. Renders nothing for users who may not read signals. */
export default function CampaignSignals({ campaignId }: { campaignId: number }) {
  const me = useCurrentUser()
  return signalsContract.list.allow(me) ? <OpenSignals campaignId={campaignId} /> : null
}

function OpenSignals({ campaignId }: { campaignId: number }) {
  const { signals, error, retry } = useSignals({ state: 'open', campaign_id: campaignId })
  const keepFocus = useCardFocus(signals)
  if (error && !signals) return <QueryError what="Signals" error={error} retry={retry} />
  if (!signals) return <SignalSkeleton />
  if (signals.length === 0) return <p className={classes.empty}>No open signals.</p>
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only remembers which card has focus.
    <div onFocus={keepFocus}>
      <SignalCards label="Open signals" families={groupFamilies(signals)} />
    </div>
  )
}
