import { useState } from 'react'
import { useInAppLinks } from '#ui/data/search-params.ts'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import classes from './Chart.module.css'
import { type ChartPoint, seriesNames, seriesTitles } from './series.ts'

/** The chart's numbers as a table. */
export function ChartValuesTable({ points, head }: { points: readonly ChartPoint[]; head: string }) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  useInAppLinks(frame)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section ref={setFrame} className={classes.values} aria-label="Values" tabIndex={0}>
      <PlainTable
        aria-label="Values"
        columns={[
          { title: head, isName: true, cell: ({ title }) => title },
          ...seriesNames.map((series) => ({
            title: seriesTitles[series],
            align: 'end' as const,
            cell: (point: ChartPoint) => <SeriesValue point={point} series={series} />,
          })),
        ]}
        rows={points}
        rowKey={({ date }) => date}
      />
    </section>
  )
}

function SeriesValue({ point, series }: { point: ChartPoint; series: (typeof seriesNames)[number] }) {
  const { number, address } = point[series]
  if (!address) return number
  return (
    <a href={address} aria-label={`${number} ${seriesTitles[series]}, ${point.title}`}>
      {number.toLocaleString('en-US')}
    </a>
  )
}
