import { Suspense } from 'react'
import type { Flag } from '#contract/allow.ts'
import { campaigns as campaignCalls } from '#domains/campaigns/contract.ts'
import type { FieldControl } from '#web/fields.tsx'
import { part } from '#web/parts.ts'
import { useApi } from '#web/useApi.ts'
import type { Entry, Ticks } from './CheckList.tsx'
import type { Page } from './contract.ts'

// As heavy as the rest of a form, and loaded with the first that opens.
const CheckList = part(() => import('./CheckList.tsx'))

const checkList =
  (label: string, entries: readonly Entry[], locked?: string): FieldControl<Ticks> =>
  (at) => (
    <Suspense>
      <CheckList label={label} at={at} entries={entries} locked={locked} />
    </Suspense>
  )

export const pagesField = (pages: readonly Page[] = []): FieldControl<Partial<Record<Flag, boolean | 0 | 1>>> =>
  checkList(
    'Pages Access',
    pages.map(({ id, title }) => ({ key: id, title })),
  )

export const campaignsField = (entries: readonly Entry[], locked?: string) =>
  checkList('Campaigns Access', entries, locked)

/** The campaigns that one may tick; an archived one only where it is ticked already. */
export function useCampaignEntries(ticked: Ticks): Entry[] {
  const { data = [] } = useApi(campaignCalls.all)
  return data
    .filter(({ id, archived }) => archived === 0 || ticked[id])
    .map(({ id, name, archived, client, categories }) => ({
      key: String(id),
      title: archived ? `${name} (archived)` : name,
      detail: client?.name,
      color: categories?.[0]?.color,
    }))
}
