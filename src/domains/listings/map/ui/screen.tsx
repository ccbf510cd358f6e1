import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { areas as areaCalls } from '#domains/campaigns/area/contract.ts'
import { campaignCategories } from '#domains/campaigns/categories/contract.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/useCampaignChoices.ts'
import { statusName } from '#domains/listings/gmbs/labels.ts'
import { environment } from '#ui/data/environment.ts'
import { useAddress } from '#ui/data/search-params.ts'
import { useApi } from '#ui/data/useApi.ts'
import { MultiSelectFilter, SelectFilter } from '#ui/filters/ChoiceFilter.tsx'
import { CheckFilter, FilterBar } from '#ui/filters/filters.tsx'
import { Screen } from '#ui/layout/Screen.tsx'
import { MapFrame } from '#ui/map/MapFrame.tsx'
import { parsed, tidy, without, written } from '#ui/table/list-address.ts'
import type { FilterAt } from '#ui/table/useList.ts'
import { campaignMap, mapFilters, mostPins, type Pin } from '../contract.ts'
import classes from './CampaignMap.module.css'
import { Legend } from './Legend.tsx'
import { MapStates } from './MapStates.tsx'
import { PinCard } from './PinCard.tsx'
import { type Area, type Box, drawPins, type PinsMap } from './pins-map.ts'

/** Where campaigns serve and where their listings are. */
export default function CampaignMap() {
  const { asked, filter, changed, reset } = useMapFilters()
  const [box, setBox] = useState<Box>()
  const [chosen, setChosen] = useState<Pin[]>([])
  const areas = useApi(areaCalls.all, { query: asked }, { quiet: true, keepPrevious: true })
  const pins = useApi(
    campaignMap.pins,
    { query: { ...boundsOf(box ?? start), ...asked } },
    { quiet: true, keepPrevious: true, enabled: box !== undefined },
  )
  const isCapped = pins.data?.length === mostPins
  const categories = useApi(campaignCategories.list, { query: { nopag: 1 } }).data ?? []
  const { campaign_ids } = asked
  return (
    <Screen title="Campaign Map">
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
        <PinsOnMap
          pins={pins.data ?? none}
          areas={areas.data ?? none}
          choose={setChosen}
          moved={(seen) => setBox((before) => boxFor(before, seen, isCapped))}
        />
        <MapStates pins={pins} areas={areas} changed={changed} reset={reset} />
        <Legend categories={categories} />
        {chosen.length > 0 && <PinCard key={chosen[0]?.id} pins={chosen} onClose={() => setChosen([])} />}
      </div>
    </Screen>
  )
}

const none: never[] = []

type MapProps = {
  pins: readonly Pin[]
  areas: readonly Area[]
  choose: (pins: Pin[]) => void
  moved: (seen: Box) => void
}

function PinsOnMap({ pins, areas, choose, moved }: MapProps) {
  const place = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<PinsMap>()
  const [lacksTiles, setLacksTiles] = useState(false)
  const hands = useRef({ choose, moved })
  useLayoutEffect(() => {
    hands.current = { choose, moved }
  })
  useLayoutEffect(() => {
    if (!place.current) return
    const drawn = drawPins(
      place.current,
      {
        choose: (some) => hands.current.choose(some),
        moved: (seen) => hands.current.moved(seen),
        tiles: (arrive) => setLacksTiles(!arrive),
        name: ({ title, status }) => `${title}, ${statusName(status)}`,
      },
      { tileUrl: environment.mapTileUrl, classes },
    )
    setMap(drawn)
    return () => drawn.end()
  }, [])
  useEffect(() => map?.showAreas(areas), [map, areas])
  useEffect(() => map?.showPins(pins), [map, pins])
  return <MapFrame place={place} lacksTiles={lacksTiles} />
}

type Filters = { campaign_ids?: number[]; category_id?: number; clients_only?: 1 }

/** In the address, so that a link shows the same map. */
function useMapFilters() {
  const [search, write] = useAddress()
  // The schemas of this very call made these values.
  const asked = useMemo(() => parsed(mapFilters, search), [search]) as Filters
  const filter = <Name extends keyof Filters>(name: Name): FilterAt<Filters[Name] | undefined> => ({
    name,
    value: asked[name],
    set: (value, replace) => write((before) => tidy({ ...before, ...written({ [name]: value }) }, {}), replace),
  })
  return {
    asked,
    filter,
    changed: Object.keys(asked).length > 0,
    reset: () => write((before) => without(before, Object.keys(mapFilters))),
  }
}

const start: Box = { left: -180, right: 180, up: 85, down: -85 }

/** The part of the world that pins are read for: more than is seen, so that small moves read nothing. */
function boxFor(before: Box | undefined, seen: Box, isCapped: boolean): Box {
  const isInside =
    before && seen.left >= before.left && seen.right <= before.right && seen.up <= before.up && seen.down >= before.down
  // Of a part with more pins than are answered at once, a smaller one shows others.
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

const boundsOf = ({ left, right, up, down }: Box) => ({
  'right-longitude': right,
  'upper-latitude': up,
  'down-latitude': down,
  'left-longitude': left,
})
