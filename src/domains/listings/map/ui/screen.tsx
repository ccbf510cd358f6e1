import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { campaignAreasContract } from '#domains/campaigns/area/contract.ts'
import { campaignCategoriesContract } from '#domains/campaigns/categories/contract.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useApi } from '#ui/data/useApi.ts'
import { MultiSelectFilter, SelectFilter } from '#ui/filters/ChoiceFilter.tsx'
import { CheckFilter, FilterBar } from '#ui/filters/filters.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { useFilters } from '#ui/table/useFilters.ts'
import { campaignMapContract, type MapPin, mapFilters, maxPins } from '../contract.ts'
import classes from './CampaignMap.module.css'
import { MapLegend } from './Legend.tsx'
import { PinCard } from './PinCard.tsx'
import type { MapBounds } from './pins-map.ts'

const PinsOnMap = lazyComponent(() => import('./PinsOnMap.tsx'))

/** The campaigns' service areas and listings on a map. */
export default function CampaignMapScreen() {
  const { filters, filter, changed, reset } = useFilters(mapFilters, {})
  const [box, setBox] = useState<MapBounds>()
  const [chosen, setChosen] = useState<MapPin[]>([])
  const areas = useApi(campaignAreasContract.all, { query: filters }, { quiet: true, keepPrevious: true })
  const pins = useApi(
    campaignMapContract.pins,
    { query: { ...toBoundsQuery(box ?? initialBounds), ...filters } },
    { quiet: true, keepPrevious: true, enabled: box !== undefined },
  )
  const { data: unplaced } = useApi(
    campaignMapContract.unplaced,
    { query: filters },
    { quiet: true, keepPrevious: true },
  )
  const isCapped = pins.data?.length === maxPins
  const categories = useApi(campaignCategoriesContract.list, { query: { nopag: 1 } }).data ?? []
  const { campaign_ids } = filters
  return (
    <ScreenFrame title="Campaign Map">
      <FilterBar list={{ changed, reset }}>
        <MultiSelectFilter
          label="Campaigns"
          choices={useCampaignChoices(campaign_ids ? { keep: campaign_ids } : {})}
          {...filter('campaign_ids')}
        />
        <SelectFilter
          label="Category"
          choices={categories.map(({ id, name, color }) => ({ value: id, label: name, color }))}
          {...filter('category_id')}
        />
        <CheckFilter label="Clients only" {...filter('clients_only')} />
      </FilterBar>
      <div className={classes.frame} aria-busy={pins.isFetching || areas.isFetching}>
        <Suspense>
          <PinsOnMap
            pins={pins.data ?? emptyList}
            areas={areas.data ?? emptyList}
            choose={setChosen}
            moved={(seen) => setBox((before) => expandBounds(before, seen, isCapped))}
          />
        </Suspense>
        <MapStates pins={pins} areas={areas} changed={changed} reset={reset} />
        <MapLegend categories={categories} unplaced={unplaced?.count ?? 0} />
        {chosen.length > 0 && <PinCard key={chosen[0]?.id} pins={chosen} onClose={() => setChosen([])} />}
      </div>
    </ScreenFrame>
  )
}

const emptyList: never[] = []

const initialBounds: MapBounds = { left: -180, right: 180, up: 85, down: -85 }

/** Returns the area to load pins for: larger than the visible one, so that small moves load nothing. */
function expandBounds(before: MapBounds | undefined, seen: MapBounds, isCapped: boolean): MapBounds {
  const isInside =
    before && seen.left >= before.left && seen.right <= before.right && seen.up <= before.up && seen.down >= before.down
  // If the area has more pins than fit one response, a smaller area shows others.
  const isMuchSmaller = before && seen.right - seen.left < (before.right - before.left) / 3
  if (isInside && !(isCapped && isMuchSmaller)) return before
  const [wide, high] = [(seen.right - seen.left) / 2, (seen.up - seen.down) / 2]
  const exact = (degrees: number, most: number) => Math.round(Math.max(-most, Math.min(most, degrees)) * 1e4) / 1e4
  return {
    left: exact(seen.left - wide, 180),
    right: exact(seen.right + wide, 180),
    up: exact(seen.up + high, 85),
    down: exact(seen.down - high, 85),
  }
}

const toBoundsQuery = ({ left, right, up, down }: MapBounds) => ({
  'right-longitude': right,
  'upper-latitude': up,
  'down-latitude': down,
  'left-longitude': left,
})

type QueryState = {
  data: readonly unknown[] | undefined
  error: Error | null
  refetch: () => unknown
  isFetching: boolean
}
type MapStatesProps = { pins: QueryState; areas: QueryState; changed: boolean; reset: () => void }

/** Errors and notices about the whole map; usually nothing. */
function MapStates({ pins, areas, changed, reset }: MapStatesProps) {
  const failed = [pins, areas].filter(({ error }) => error)
  const isEmpty = pins.data?.length === 0 && areas.data?.length === 0 && !pins.isFetching && !areas.isFetching
  if (failed.length > 0)
    return (
      <div className={classes.state} role="alert">
        Not everything could be loaded: {failed[0]?.error?.message}
        <Button
          className={arrange.still}
          variant="default"
          size="compact-sm"
          onClick={() => {
            for (const one of failed) void one.refetch()
          }}
        >
          Retry
        </Button>
      </div>
    )
  if (pins.data?.length === maxPins)
    return (
      <p className={classes.state} role="status">
        Only {maxPins.toLocaleString('en-US')} listings are shown. Zoom in to see the others.
      </p>
    )
  if (!isEmpty) return null
  return (
    <div className={classes.state} role="status">
      There is nothing to show here.
      {changed && (
        <Button className={arrange.still} variant="default" size="compact-sm" onClick={reset}>
          Reset filters
        </Button>
      )}
    </div>
  )
}
