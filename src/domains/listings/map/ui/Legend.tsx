import type { CampaignCategory } from '#domains/campaigns/categories/contract.ts'
import { swatch } from '#ui/cells/cells.tsx'
import classes from './CampaignMap.module.css'
import { statusColours } from './status-colors.ts'

const statuses = [
  [statusColours.live, 'Live'],
  [statusColours.suspended, 'Suspended'],
  [statusColours.other, 'Any other status'],
] as const

/** What the colours mean. */
export function Legend({ categories }: { categories: readonly CampaignCategory[] }) {
  const coloured = categories.filter(({ color }) => color !== '#ffffff')
  return (
    <details className={classes.legend} open={window.innerWidth > 800}>
      <summary>Legend</summary>
      <ul>
        {statuses.map(([color, words]) => (
          <li key={words}>{swatch(color, words)}</li>
        ))}
      </ul>
      {coloured.length > 0 && (
        <>
          <p>A category’s colour fills its pins; the ring is the status.</p>
          <ul>
            {coloured.map(({ id, name, color }) => (
              <li key={id}>{swatch(color, name)}</li>
            ))}
          </ul>
        </>
      )}
      <p>
        A listing stands in the middle of its ZIP code, from{' '}
        <a href="https://www.geonames.org" target="_blank" rel="noreferrer noopener">
          GeoNames
        </a>{' '}
        (
        <a href="https://creativecommons.org/licenses/by/4.0/" target="_blank" rel="noreferrer noopener">
          CC BY 4.0
        </a>
        ).
      </p>
    </details>
  )
}
