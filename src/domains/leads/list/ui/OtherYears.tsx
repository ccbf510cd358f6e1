import { Button } from '@mantine/core'
import { getToday } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import { useApi } from '#ui/data/useApi.ts'
import type { LeadsList, LeadsView } from './useLeadsList.ts'

/** Earlier than any lead. */
const firstDay = '2000-01-01'

/** For a list that is empty in its days: shows how many leads match in all years, with a button to show them. */
export default function OtherYears({ view, list }: { view: LeadsView; list: LeadsList }) {
  const days = { date_from: firstDay, date_to: getToday(appConfig.timezone) }
  const { data } = useApi(view.list, { query: { ...list.sent, ...days, page: 1, per_page: 1 } }, { quiet: true })
  const total = (data && ('meta' in data ? data.meta.total : data.total)) ?? 0
  if (total === 0) return null
  const found = total === 1 ? '1 lead matches' : `${total.toLocaleString('en-US')} leads match`
  return (
    <p>
      {found} in all years.{' '}
      <Button variant="light" size="compact-sm" onClick={() => list.setFilters(days)}>
        {total === 1 ? 'Show it' : 'Show them'}
      </Button>
    </p>
  )
}
