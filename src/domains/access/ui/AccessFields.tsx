import { Suspense } from 'react'
import type { Flag } from '#contract/allow.ts'
import { campaigns as campaignCalls } from '#domains/campaigns/contract.ts'
import { part } from '#ui/data/lazy-part.ts'
import { useApi } from '#ui/data/useApi.ts'
import type { FieldControl } from '#ui/form/fields.tsx'
import type { Page } from '../contract.ts'
import type { Entry, Ticks } from './CheckList.tsx'

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
