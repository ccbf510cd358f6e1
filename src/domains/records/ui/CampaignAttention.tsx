import { Suspense } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import type { Signal } from '#domains/signals/contract.ts'
import { signalKindLabels } from '#domains/signals/labels.ts'
import { CampaignSignals, describeLostLeads, formatAge, getSignalStart } from '#domains/signals/ui/public.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { SkeletonLines } from '#ui/feedback/Skeleton.tsx'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import text from '#ui/theme/text.module.css'
import classes from './CampaignPage.module.css'
import { useOpenSignals } from './campaign-signals.ts'
import { EmptySection, RecordSection } from './RecordPage.tsx'

const linesAtFirst = 2

/** The campaign's open signals in two lines, the most severe first; a line opens them all with what can be done. */
export function CampaignAttention({ me, campaignId }: { me: CurrentUserDto; campaignId: number }) {
  const { isAllowed, signals, error, retry } = useOpenSignals(me, campaignId)
  const dialog = useDialog()
  if (!isAllowed) return null
  const ids = new Set(signals?.map(({ id }) => id))
  // One that another one explains is shown with it.
  const causes = signals?.filter(({ parent_id }) => parent_id === null || !ids.has(parent_id))
  const open = () => dialog.open(undefined)
  return (
    <RecordSection title="Needs attention" count={causes?.length}>
      {error && !signals && <QueryError what="Signals" error={error} retry={retry} />}
      {!error && !signals && <SkeletonLines widths={['60%', '80%']} />}
      {causes?.length === 0 && <EmptySection>Nothing needs attention.</EmptySection>}
      {causes && causes.length > 0 && (
        <ul className={classes.signals} aria-label="Needs attention">
          {causes.slice(0, linesAtFirst).map((signal) => (
            <li key={signal.id} data-severity={signal.severity}>
              <button type="button" data-link aria-haspopup="dialog" title={signal.title} onClick={open}>
                {signalKindLabels[signal.kind]}
              </button>
              <span className={text.quiet} title={signal.title}>
                {describeSignal(signal)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {causes && causes.length > linesAtFirst && (
        <button type="button" data-link aria-haspopup="dialog" className={text.small} onClick={open}>
          Show all {causes.length}
        </button>
      )}
      <ModalDialog opened={dialog.opened} onClose={dialog.close} title="Needs attention" size="lg">
        <Suspense>
          <CampaignSignals campaignId={campaignId} />
        </Suspense>
      </ModalDialog>
    </RecordSection>
  )
}

function describeSignal(signal: Signal): string {
  const { expected_lost, claimed_by, subject } = signal
  return [
    subject.type !== 'campaign' && subject.label,
    `${formatAge(getSignalStart(signal), Date.now())} ago`,
    expected_lost && describeLostLeads(expected_lost),
    claimed_by && `handled by ${claimed_by.username}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
