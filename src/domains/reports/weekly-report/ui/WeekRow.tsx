import { memo } from 'react'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { leadsAt, type Series } from '#domains/leads/list/ui/lead-links.ts'
import type { CountedCampaign } from '../contract.ts'
import { Gap, LeftCells } from './LeftCells.tsx'
import type { LeftColumn } from './LeftColumns.tsx'
import classes from './WeeklyReport.module.css'
import { cellAt, type WeekColumn } from './week-columns.ts'

type Props = {
  me: CurrentUser
  campaign: CountedCampaign
  left: readonly LeftColumn[]
  weeks: readonly WeekColumn[]
  /** The columns in sight. */
  first: number
  last: number
  index: number
  height: number
}

/** A campaign. One whose numbers and columns stay the same is not drawn again. */
export const WeekRow = memo(function WeekRow(props: Props) {
  const { me, campaign, left, weeks, first, last, index, height } = props
  return (
    <tr
      className={classes.row}
      data-index={index}
      data-state={campaign.trouble_state}
      aria-rowindex={index + 4}
      tabIndex={-1}
      style={{ height }}
    >
      <LeftCells columns={left}>{(column) => column.cell(campaign)}</LeftCells>
      <Gap columns={first} />
      {weeks.slice(first, last + 1).map((column, place) => (
        <td
          key={column.key}
          className={classes.cell}
          data-total={column.week === null || undefined}
          aria-colindex={left.length + first + place + 1}
        >
          <Count me={me} campaign={campaign} column={column} series="confirmed" />
          {' / '}
          <Count me={me} campaign={campaign} column={column} series="missed" />
        </td>
      ))}
      <Gap columns={weeks.length - last - 1} />
    </tr>
  )
})

/** Leads to exactly the leads that it counts. */
function Count({
  me,
  campaign,
  column,
  series,
}: Pick<Props, 'me' | 'campaign'> & { column: WeekColumn; series: Series }) {
  const number = cellAt(campaign.leads, column)?.[series] ?? 0
  if (number === 0) return <span className={classes.zero}>0</span>
  const address = leadsAt(me, { ...column, campaignIds: [campaign.id] }, series)
  if (address === null) return number
  return (
    <a href={address} aria-label={`${number} ${series}, ${campaign.name}, ${column.days}`}>
      {number}
    </a>
  )
}
