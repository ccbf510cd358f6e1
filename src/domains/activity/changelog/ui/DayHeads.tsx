import type { VirtualItem } from '@tanstack/react-virtual'
import { formatWeekday } from '#contract/short-times.ts'
import { formatDay } from '#ui/cells/days.ts'
import text from '#ui/theme/text.module.css'
import classes from './Changelog.module.css'
import { type ChangelogGridData, dayColumnWidth } from './changelog-grid.ts'

type DayHeadersProps = { days: ChangelogGridData['days']; items: readonly VirtualItem[]; names: number }

/** The days with their counts. Sticky, like the corner. */
export function DayHeaders({ days, items, names }: DayHeadersProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: absolutely positioned, like the rows.
    <div role="rowgroup" className={classes.head}>
      {/* biome-ignore lint/a11y: a header row takes no focus; the cells below do. */}
      <div role="row" aria-rowindex={1} className={classes.headRow}>
        {/* biome-ignore lint/a11y: as above. */}
        <div role="columnheader" aria-colindex={1} className={classes.corner} style={{ width: names }}>
          Campaign
        </div>
        {items.map(({ index, start }) => {
          const { day, total } = days[index]!
          return (
            // biome-ignore lint/a11y: as above.
            <div
              key={day}
              role="columnheader"
              aria-colindex={index + 2}
              className={classes.dayHead}
              style={{ left: start, width: dayColumnWidth }}
            >
              {formatWeekday(day)}
              <span className={classes.date}>{formatDay(day)}</span>
              <span className={classes.count} data-none={total === 0 || undefined}>
                {total}
                <span className={text.unseen}>{total === 1 ? ' note' : ' notes'}</span>
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}
