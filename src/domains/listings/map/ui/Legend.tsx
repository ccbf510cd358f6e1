import type { CampaignCategory } from '#domains/campaigns/categories/contract.ts'
import { renderSwatch } from '#ui/cells/cells.tsx'
import { usePrinting } from '#ui/layout/printing.ts'
import { GeoNamesCredit } from '#ui/map/GeoNamesCredit.tsx'
import text from '#ui/theme/text.module.css'
import classes from './CampaignMap.module.css'
import { statusColors } from './status-colors.ts'

const legendStatuses = [
  [statusColors.live, 'Live'],
  [statusColors.suspended, 'Suspended'],
  [statusColors.other, 'Any other status'],
] as const

/** Explains the colors, and counts what the map cannot show. */
export function MapLegend({ categories, unplaced }: { categories: readonly CampaignCategory[]; unplaced: number }) {
  const isPrinting = usePrinting()
  const colored = categories.filter(({ color }) => color !== '#ffffff')
  return (
    <details className={`${classes.legend} ${text.prose}`} open={isPrinting}>
      <summary>Legend</summary>
      <ul>
        {legendStatuses.map(([color, words]) => (
          <li key={words}>{renderSwatch(color, words)}</li>
        ))}
      </ul>
      {colored.length > 0 && (
        <>
          <p>A category’s color fills its pins; the ring is the status.</p>
          <ul>
            {colored.map(({ id, name, color }) => (
              <li key={id}>{renderSwatch(color, name)}</li>
            ))}
          </ul>
        </>
      )}
      {unplaced > 0 && (
        <p>
          {unplaced === 1 ? '1 listing has' : `${unplaced.toLocaleString('en-US')} listings have`} no place here: the
          address ends with no known ZIP code.
        </p>
      )}
      <p>
        A listing is placed at the center of its ZIP code, from <GeoNamesCredit />.
      </p>
    </details>
  )
}
