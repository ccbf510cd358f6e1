import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { environment } from '#ui/data/environment.ts'
import { MapFrame } from '#ui/map/MapFrame.tsx'
import type { Point } from '../polygon.ts'
import type { Drawing, Step } from './drawing.ts'
import { type DrawnMap, drawMap } from './drawn-map.ts'
import classes from './MapView.module.css'

type Props = {
  drawing: Drawing
  step: (step: Step) => void
  view: RefObject<DrawnMap | null>
  /** What is seen first. */
  start: readonly Point[]
  /** Only to be looked at. */
  fixed: boolean
}

/** The map itself, with what is drawn on it. */
export function MapView({ drawing, step, view, start, fixed }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const first = useRef(start)
  const [lacksTiles, setLacksTiles] = useState(false)
  useLayoutEffect(() => {
    if (!place.current) return
    const map = drawMap(
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
      { tileUrl: environment.mapTileUrl, classes, fixed },
    )
    map.fit(first.current)
    view.current = map
    return () => {
      view.current = null
      map.end()
    }
  }, [step, view, fixed])
  // Before anybody can take hold of a handle that is drawn anew.
  useLayoutEffect(() => view.current?.show(drawing.shape, drawing.selected), [drawing.shape, drawing.selected, view])

  return <MapFrame place={place} lacksTiles={lacksTiles} />
}
