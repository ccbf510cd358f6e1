import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { callApi } from '#ui/data/api.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useDialog } from '#ui/layout/useDialog.ts'
import { leadSourcesContract } from '../contract.ts'
import classes from './SourcesNotice.module.css'

const SourcesDialog = lazyComponent(() => import('./SourcesDialog.tsx'))

const refetchIntervalMs = 15 * 60_000

/**
 * One calm line where something needs a super admin: a source that has fallen silent, leads or events that wait. All is
 * well without it. Its place is kept, so that nothing moves when it comes: after the rows, which are waited for.
 */
export function SourcesNotice({ isReady }: { isReady: boolean }) {
  const dialog = useDialog()
  // Not read again with every edit of a lead: silence takes days. Without an answer there is nothing to say.
  const { data } = useQuery({
    queryKey: ['lead sources'],
    queryFn: () => callApi(leadSourcesContract.list),
    enabled: isReady,
    staleTime: refetchIntervalMs,
    refetchInterval: refetchIntervalMs,
    meta: { quiet: true },
  })
  const words = data ? buildNoticeParts(data) : []
  return (
    <span role="status" className={classes.place}>
      {words.length > 0 && (
        <button type="button" className={classes.notice} aria-haspopup="dialog" onClick={() => dialog.open(undefined)}>
          <IconAlertTriangle size={14} aria-hidden="true" />
          <span>{words.join(' · ')}</span>
        </button>
      )}
      {data && dialog.opened && (
        <Suspense>
          <SourcesDialog found={data} onClose={dialog.close} />
        </Suspense>
      )}
    </span>
  )
}

const formatNumber = (count: number) => count.toLocaleString('en-US')
const formatCount = (count: number, one: string, many: string) =>
  count === 0 ? [] : [`${formatNumber(count)} ${count === 1 ? one : many}`]

function buildNoticeParts({ data, unassigned, quarantined }: ResponseOf<typeof leadSourcesContract.list>): string[] {
  return [
    ...formatCount(data.filter(({ silent }) => silent).length, 'silent source', 'silent sources'),
    ...formatCount(unassigned, 'lead unassigned', 'leads unassigned'),
    ...formatCount(quarantined, 'event quarantined', 'events quarantined'),
  ]
}
