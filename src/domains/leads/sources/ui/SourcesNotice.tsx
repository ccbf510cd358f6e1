import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { countOf } from '#contract/count-of.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { callApi } from '#ui/data/api.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useAfterPaint } from '#ui/data/useAfterPaint.ts'
import { useDialog } from '#ui/layout/useDialog.ts'
import text from '#ui/theme/text.module.css'
import { leadSourcesContract } from '../contract.ts'
import classes from './SourcesNotice.module.css'

const SourcesDialog = lazyComponent(() => import('./SourcesDialog.tsx'))

const refetchIntervalMs = 15 * 60_000

/**
 * A line that appears if something needs a super admin: a silent source, or leads or events that wait. Its space is reserved, so
 * that nothing moves when it appears. It loads after the rows.
 */
export function SourcesNotice({ isReady }: { isReady: boolean }) {
  const dialog = useDialog()
  const enabled = useAfterPaint(isReady)
  // Not refetched with every edit of a lead, because silence takes days. A failure shows nothing.
  const { data } = useQuery({
    queryKey: ['lead sources'],
    queryFn: () => callApi(leadSourcesContract.list),
    enabled,
    staleTime: refetchIntervalMs,
    refetchInterval: refetchIntervalMs,
    meta: { quiet: true },
  })
  const parts = data ? buildNoticeParts(data) : []
  const words = parts.map(({ text }) => text).join(' · ')
  return (
    <span role="status" className={classes.place}>
      {parts.length > 0 && (
        <button
          type="button"
          className={classes.notice}
          aria-label={words}
          title={words}
          aria-haspopup="dialog"
          data-sum={formatNumber(parts.reduce((sum, { count }) => sum + count, 0))}
          onClick={() => dialog.open(undefined)}
        >
          <IconAlertTriangle size={14} aria-hidden="true" />
          <span className={text.clipped}>{words}</span>
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
const formatPart = (count: number, ...nouns: [one: string, many?: string]) =>
  count === 0 ? [] : [{ count, text: countOf(count, ...nouns) }]

function buildNoticeParts({ data, unassigned, quarantined }: ResponseOf<typeof leadSourcesContract.list>) {
  return [
    ...formatPart(data.filter(({ silent }) => silent).length, 'silent source'),
    ...formatPart(unassigned, 'lead unassigned', 'leads unassigned'),
    ...formatPart(quarantined, 'event put aside', 'events put aside'),
  ]
}
