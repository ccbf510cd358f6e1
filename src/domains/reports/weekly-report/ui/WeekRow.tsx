import { memo } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { buildLeadsUrl, type LeadSeries } from '#domains/leads/ui/public.ts'
import focus from '#ui/table/row-focus.module.css'
import text from '#ui/theme/text.module.css'
import type { WeeklyReportCampaign } from '../contract.ts'
import { ColumnGap, FixedCells } from './LeftCells.tsx'
import type { FixedColumn } from './LeftColumns.tsx'
import classes from './WeeklyReport.module.css'
import { findWeekCell, type WeekColumn } from './week-columns.ts'

type WeekTableRowProps = {
  me: CurrentUserDto
  campaign: WeeklyReportCampaign
  left: readonly FixedColumn[]
  weeks: readonly WeekColumn[]
  /** The visible columns. */
  first: number
  last: number
  index: number
  height: number
}

/** The row of a campaign. Rows whose numbers and columns stay the same are not rendered again. */
export const WeekTableRow = memo(function WeekRow(props: WeekTableRowProps) {
  const { me, campaign, left, weeks, first, last, index, height } = props
  return (
    <tr
      className={`${classes.row} ${focus.row}`}
      data-ringless
      data-index={index}
      data-state={campaign.trouble_state}
      aria-rowindex={index + 4}
      tabIndex={-1}
      style={{ height }}
    >
      <FixedCells columns={left}>{(column) => column.cell(campaign)}</FixedCells>
      <ColumnGap columns={first} />
      {weeks.slice(first, last + 1).map((column, place) => (
        <td
          key={column.key}
          className={classes.cell}
          data-total={column.week === null || undefined}
          aria-colindex={left.length + first + place + 1}
        >
          <LeadCounts me={me} campaign={campaign} column={column} />
        </td>
      ))}
      <ColumnGap columns={weeks.length - last - 1} />
    </tr>
  )
})

type LeadCountsProps = Pick<WeekTableRowProps, 'me' | 'campaign'> & { column: WeekColumn }

/** Shows the verified and the missed leads of a week or month; nothing of a week that has not begun. */
export function LeadCounts(props: LeadCountsProps) {
  if (props.column.isComing) return null
  return (
    <>
      <LeadCountLink {...props} series="confirmed" />
      {' / '}
      <LeadCountLink {...props} series="missed" />
    </>
  )
}

/** Links to exactly the leads that the number counts. */
function LeadCountLink({ me, campaign, column, series }: LeadCountsProps & { series: LeadSeries }) {
  const number = findWeekCell(campaign.leads, column)?.[series] ?? 0
  if (number === 0) return <span className={text.quiet}>0</span>
  const address = buildLeadsUrl(me, { ...column, campaignIds: [campaign.id] }, series)
  if (address === null) return number
  return (
    <a href={address} aria-label={`${number} ${series}, ${campaign.name}, ${column.days}`}>
      {number}
    </a>
  )
}
