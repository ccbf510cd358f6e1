import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { appConfig } from '#ui/data/environment.ts'
import { MapFrame } from '#ui/map/MapFrame.tsx'
import type { GeoPoint } from '../polygon.ts'
import type { AreaDrawing, DrawingStep } from './drawing.ts'
import { createDrawingMap, type DrawingMap } from './drawn-map.ts'
import classes from './MapView.module.css'

type MapViewProps = {
  drawing: AreaDrawing
  step: (step: DrawingStep) => void
  view: RefObject<DrawingMap | null>
  /** The points that the map shows first. */
  start: readonly GeoPoint[]
  /** Read-only. */
  fixed: boolean
}

/** The map with the drawing on it. */
export function MapView({ drawing, step, view, start, fixed }: MapViewProps) {
  const place = useRef<HTMLDivElement>(null)
  const first = useRef(start)
  const [lacksTiles, setLacksTiles] = useState(false)
  useLayoutEffect(() => {
    if (!place.current) return
    const map = createDrawingMap(
      place.current,
      {
        add: (point) => step({ do: 'add', point }),
        close: () => step({ do: 'close' }),
        move: (index, point) => step({ do: 'move', index, point }),
        insert: (index, point) => step({ do: 'insert', index, point }),
        remove: (index) => step({ do: 'remove', index }),
        select: (index) => step({ do: 'select', index }),
        tiles: (arrive) => setLacksTiles(!arrive),
      },
      { tileUrl: appConfig.mapTileUrl, classes, fixed },
    )
    map.fit(first.current)
    view.current = map
    return () => {
      view.current = null
      map.end()
    }
  }, [step, view, fixed])
  // A layout effect, so that handles are redrawn before anyone can grab them.
  useLayoutEffect(() => view.current?.show(drawing.shape, drawing.selected), [drawing.shape, drawing.selected, view])

  return <MapFrame place={place} lacksTiles={lacksTiles} />
}
