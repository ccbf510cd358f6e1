import { useState } from 'react'
import { useInAppLinks } from '#ui/data/search-params.ts'
import classes from './Chart.module.css'
import { type ChartPoint, seriesNames, seriesTitles } from './series.ts'

/** The chart's numbers as a table. */
export function ChartValuesTable({ points, head }: { points: readonly ChartPoint[]; head: string }) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  useInAppLinks(frame)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section ref={setFrame} className={classes.values} aria-label="Values" tabIndex={0}>
      <table aria-label="Values">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {seriesNames.map((series) => (
              <th key={series} scope="col">
                {seriesTitles[series]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.date}>
              <th scope="row">{point.title}</th>
              {seriesNames.map((series) => {
                const { number, address } = point[series]
                return (
                  <td key={series}>
                    {address ? (
                      <a href={address} aria-label={`${number} ${seriesTitles[series]}, ${point.title}`}>
                        {number.toLocaleString('en-US')}
                      </a>
                    ) : (
                      number
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
