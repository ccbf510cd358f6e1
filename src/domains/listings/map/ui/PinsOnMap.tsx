import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { getGmbStatusName } from '#domains/listings/gmbs/labels.ts'
import { appConfig } from '#ui/data/environment.ts'
import { MapFrame } from '#ui/map/MapFrame.tsx'
import type { MapPin } from '../contract.ts'
import classes from './CampaignMap.module.css'
import { createPinsMap, type MapArea, type MapBounds, type PinsMap } from './pins-map.ts'

type PinsOnMapProps = {
  pins: readonly MapPin[]
  areas: readonly MapArea[]
  choose: (pins: MapPin[]) => void
  moved: (seen: MapBounds) => void
}

/** The map itself, which loads after the screen: Leaflet is large. */
export default function PinsOnMap({ pins, areas, choose, moved }: PinsOnMapProps) {
  const place = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<PinsMap>()
  const [lacksTiles, setLacksTiles] = useState(false)
  const handlers = useRef({ choose, moved })
  useLayoutEffect(() => {
    handlers.current = { choose, moved }
  })
  useLayoutEffect(() => {
    if (!place.current) return
    const drawn = createPinsMap(
      place.current,
      {
        choose: (some) => handlers.current.choose(some),
        moved: (seen) => handlers.current.moved(seen),
        tiles: (arrive) => setLacksTiles(!arrive),
        name: ({ title, status }) => `${title}, ${getGmbStatusName(status)}`,
      },
      { tileUrl: appConfig.mapTileUrl, classes },
    )
    setMap(drawn)
    return () => drawn.end()
  }, [])
  useEffect(() => map?.showAreas(areas), [map, areas])
  useEffect(() => map?.showPins(pins), [map, pins])
  return <MapFrame place={place} lacksTiles={lacksTiles} />
}
