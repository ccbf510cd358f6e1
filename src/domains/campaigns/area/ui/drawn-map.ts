import L from 'leaflet'
import { createTileMap } from '#ui/map/tile-map.ts'
import { type GeoPoint, isSelfIntersecting, maxPolygonPoints, validatePolygon } from '../polygon.ts'
import type { AreaShape } from './drawing.ts'

type DrawingCallbacks = {
  /** A click while a polygon is being drawn, and the click that closes it. */
  add: (point: GeoPoint) => void
  close: () => void
  move: (index: number, point: GeoPoint) => void
  insert: (index: number, point: GeoPoint) => void
  remove: (index: number) => void
  select: (index: number) => void
  /** Reports whether map tiles load. */
  tiles: (arrive: boolean) => void
}
export type DrawingMap = {
  show: (shape: AreaShape, selected: number | null) => void
  fit: (points: readonly GeoPoint[]) => void
  /** Returns the point this many pixels to the right and down. */
  beside: (point: GeoPoint, right: number, down: number) => GeoPoint
  /** Returns a triangle in the middle of the visible map. */
  triangle: () => GeoPoint[]
  end: () => void
}
/** `fixed`: read-only. */
type DrawingMapOptions = { tileUrl: string; classes: Record<string, string>; fixed: boolean }

const usaCenter: L.LatLngTuple = [38.5, -96.5]
/** In pixels: a click this close to the first corner hits it, and shorter edges get no middle handle. */
const closeDistance = 12
const minEdgeLength = 44

/**
 * Creates a map for drawing and editing a polygon. The map does not own the drawing: `show` renders it, `hands`
 * receives the user's actions.
 */
export function createDrawingMap(
  element: HTMLElement,
  hands: DrawingCallbacks,
  { tileUrl, classes, fixed }: DrawingMapOptions,
): DrawingMap {
  const { map, end } = createTileMap(element, { center: usaCenter, zoom: 5, tileUrl, tiles: hands.tiles })

  const style = (name: string, bad = false) => ({
    className: `${classes[name]} ${bad ? classes.bad : ''}`,
    interactive: false,
  })
  const border = L.polygon([], { ...style('border'), smoothFactor: 0 }).addTo(map)
  const path = L.polyline([], { ...style('path'), smoothFactor: 0 }).addTo(map)
  const ahead = L.polyline([], style('ahead')).addTo(map)
  const corners = L.layerGroup().addTo(map)
  const middles = L.layerGroup().addTo(map)
  let shape: AreaShape = { points: [], open: false }
  let markers: L.Marker[] = []
  let chosen: number | null = null
  /** The edges with a middle handle. */
  const drawn = new Set<number>()

  const icon = (name: string) =>
    L.divIcon({ className: `${classes.handle} ${classes[name]}`, iconSize: name === 'middle' ? [12, 12] : [16, 16] })
  const marker = (at: L.LatLngExpression, name: string, draggable: boolean) =>
    L.marker(at, { icon: icon(name), draggable, keyboard: false, autoPan: draggable, bubblingMouseEvents: false })
  const markBad = (layer: L.Path, bad: boolean) => layer.getElement()?.classList.toggle(classes.bad ?? '', bad)
  const pointOf = ({ lat, lng }: L.LatLng): GeoPoint => ({ lat, lng })

  /** Previews the polygon, in red if it is invalid. */
  function preview(points: readonly GeoPoint[]) {
    border.setLatLngs([...points])
    markBad(border, validatePolygon(points) !== undefined)
  }
  function handle(layer: L.Marker, as: (at: GeoPoint) => readonly GeoPoint[], done: (at: GeoPoint) => void) {
    layer.on('drag', () => preview(as(pointOf(layer.getLatLng()))))
    layer.on('dragend', () => {
      const at = pointOf(layer.getLatLng())
      const isRefused = validatePolygon(as(at)) !== undefined
      done(at)
      // A rejected step does not rerender, so the corner is put back here.
      if (isRefused) redraw()
    })
    return layer
  }
  const isMovable = () => !shape.open && !fixed
  function corner(index: number) {
    const layer = marker(shape.points[index]!, 'corner', isMovable())
    if (shape.open) return layer.on('click', () => (index === 0 ? hands.close() : undefined))
    layer.on('click', () => hands.select(index))
    if (fixed) return layer
    layer.on('contextmenu', () => hands.remove(index))
    return handle(
      layer,
      (at) => shape.points.with(index, at),
      (at) => hands.move(index, at),
    )
  }
  function middle(index: number) {
    const [here, next] = [shape.points[index]!, shape.points[(index + 1) % shape.points.length]!]
    const at = { lat: (here.lat + next.lat) / 2, lng: (here.lng + next.lng) / 2 }
    const layer = marker(at, 'middle', true)
    layer.on('click', () => hands.insert(index + 1, at))
    return handle(
      layer,
      (place) => shape.points.toSpliced(index + 1, 0, place),
      (place) => hands.insert(index + 1, place),
    )
  }
  /** Adds middle handles to visible edges that are long enough. Existing handles stay, because the user may be dragging one. */
  function drawMiddles() {
    if (!isMovable() || shape.points.length >= maxPolygonPoints) return
    const seen = map.getBounds().pad(0.1)
    const pixels = shape.points.map((point) => map.latLngToLayerPoint(point))
    for (const [index, pixel] of pixels.entries()) {
      const next = (index + 1) % pixels.length
      const isSeen = seen.contains(shape.points[index]!) || seen.contains(shape.points[next]!)
      const isShown = drawn.has(index)
      if (isShown || !isSeen || pixel.distanceTo(pixels[next]!) <= minEdgeLength) continue
      drawn.add(index)
      middles.addLayer(middle(index))
    }
  }
  function redrawMiddles() {
    drawn.clear()
    middles.clearLayers()
    drawMiddles()
  }
  function drawCorners() {
    if (markers.length === shape.points.length && markers[0]?.options.draggable === isMovable()) {
      for (const [index, point] of shape.points.entries())
        if (!markers[index]!.getLatLng().equals(point)) markers[index]!.setLatLng(point)
      return
    }
    corners.clearLayers()
    markers = shape.points.map((_, index) => corner(index))
    for (const one of markers) corners.addLayer(one)
  }
  function redraw() {
    border.setLatLngs(shape.open ? [] : [...shape.points])
    path.setLatLngs(shape.open ? [...shape.points] : [])
    ahead.setLatLngs([])
    markBad(border, false)
    drawCorners()
    redrawMiddles()
    for (const [index, one] of markers.entries())
      one.getElement()?.classList.toggle(classes.chosen ?? '', index === chosen || (shape.open && index === 0))
  }

  const hitsFirst = (at: L.LatLng) =>
    shape.points.length > 2 &&
    map.latLngToLayerPoint(at).distanceTo(map.latLngToLayerPoint(shape.points[0]!)) < closeDistance
  map.on('click', ({ latlng }) => {
    const last = shape.points.at(-1)
    if (!shape.open) return
    if (hitsFirst(latlng)) return hands.close()
    // Ignores the second half of a double click.
    if (last && map.latLngToLayerPoint(latlng).distanceTo(map.latLngToLayerPoint(last)) < 4) return
    hands.add(pointOf(latlng))
  })
  map.on('dblclick', () => shape.open && shape.points.length > 2 && hands.close())
  map.on('mousemove', ({ latlng }) => {
    const last = shape.points.at(-1)
    if (!shape.open || !last) return
    ahead.setLatLngs([last, latlng])
    markBad(ahead, !hitsFirst(latlng) && isSelfIntersecting([...shape.points, pointOf(latlng)], false))
  })
  map.on('moveend', drawMiddles)
  map.on('zoomend', redrawMiddles)

  return {
    show(next, selected) {
      const isNew = next !== shape
      shape = next
      const moved = selected !== chosen || isNew
      chosen = selected
      element.classList.toggle(classes.drawing ?? '', shape.open)
      map.doubleClickZoom[shape.open ? 'disable' : 'enable']()
      if (moved) redraw()
      const at = selected === null ? undefined : shape.points[selected]
      // For points selected or moved in the list; a point under the mouse is visible anyway.
      if (at && moved && !map.getBounds().contains(at)) map.panInside(at, { padding: [60, 60], animate: false })
    },
    fit: (points) => {
      if (points.length > 0)
        map.fitBounds(L.latLngBounds([...points]), { padding: [40, 40], maxZoom: 13, animate: false })
    },
    beside: (point, right, down) => pointOf(map.unproject(map.project(point).add([right, down]))),
    triangle: () => {
      const middleOfMap = map.project(map.getCenter())
      const reach = Math.min(map.getSize().x, map.getSize().y) / 5
      return [
        [0, -reach],
        [reach, reach],
        [-reach, reach],
      ].map(([right, down]) => pointOf(map.unproject(middleOfMap.add([right!, down!]))))
    },
    end,
  }
}
