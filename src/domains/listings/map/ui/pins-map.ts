import L from 'leaflet'
import Supercluster from 'supercluster'
import { createTileMap } from '#ui/map/tile-map.ts'
import type { MapPin } from '../contract.ts'
import { getPinColor, getStatusColor } from './status-colors.ts'

/** The visible part of the map, in degrees. */
export type MapBounds = { left: number; right: number; up: number; down: number }
export type MapArea = { campaign_title: string; color: string; points: { latitude: number; longitude: number }[] }

type PinsMapHandlers = {
  /** Called when another part of the world is visible. */
  moved: (seen: MapBounds) => void
  /** Called when a pin, or several at one place, are chosen. */
  choose: (pins: MapPin[]) => void
  tiles: (arrive: boolean) => void
  /** The pin's name for screen readers. */
  name: (pin: MapPin) => string
}
export type PinsMap = {
  showPins: (pins: readonly MapPin[]) => void
  showAreas: (areas: readonly MapArea[]) => void
  end: () => void
}
type PinsMapStyle = { tileUrl: string; classes: Record<string, string> }

const usaCenter: L.LatLngTuple = [42, -96]
const usaBounds: L.LatLngBoundsLiteral = [
  [24.5, -124.8],
  [49.4, -66.9],
]
/**
 * Pins closer than `radius` pixels form a cluster, up to a zoom at which single houses are visible. `extent` is the size of the map's
 * tiles; for the library's own of 512 pixels the radius would be half of this.
 */
const clusterOptions = { radius: 48, extent: 256, maxZoom: 17 }
/** The most pins at one place to choose from. */
const maxPinsPerPlace = 50

/**
 * Draws a map with pins and areas. Areas share one canvas; nearby pins form clusters, so that the map has a few hundred markers
 * at most, however many pins there are.
 */
export function createPinsMap(
  element: HTMLElement,
  handlers: PinsMapHandlers,
  { tileUrl, classes }: PinsMapStyle,
): PinsMap {
  const canvas = L.canvas({ padding: 0.5 })
  const { map, end } = createTileMap(element, {
    center: usaCenter,
    zoom: 4,
    tileUrl,
    tiles: handlers.tiles,
    options: { renderer: canvas },
  })
  map.fitBounds(usaBounds, { animate: false })
  const areas = L.layerGroup().addTo(map)
  const marks = L.layerGroup().addTo(map)
  let index = new Supercluster<MapPin>(clusterOptions).load([])
  /** The markers on the map, by key. */
  let drawn = new Map<string, L.Marker>()

  function draw() {
    const seen = map.getBounds().pad(0.25)
    const box: [number, number, number, number] = [seen.getWest(), seen.getSouth(), seen.getEast(), seen.getNorth()]
    const next = new Map<string, L.Marker>()
    for (const { properties, geometry } of index.getClusters(box, map.getZoom())) {
      const [longitude = 0, latitude = 0] = geometry.coordinates
      const isCluster = 'cluster' in properties
      const key = isCluster ? `${properties.point_count} at ${latitude} ${longitude}` : `pin ${properties.id}`
      const mark =
        drawn.get(key) ?? (isCluster ? cluster([latitude, longitude], properties.point_count) : pin(properties))
      // Cluster ids change whenever pins are loaded.
      if (isCluster) onActivate(mark, () => open(properties.cluster_id, mark))
      next.set(key, mark)
    }
    for (const [key, mark] of drawn) if (next.get(key) !== mark) marks.removeLayer(mark)
    for (const [key, mark] of next) if (drawn.get(key) !== mark) marks.addLayer(mark)
    drawn = next
  }

  function cluster(at: L.LatLngTuple, count: number): L.Marker {
    const shown = document.createElement('span')
    shown.textContent = count.toLocaleString('en-US')
    const size = count < 10 ? 30 : count < 100 ? 36 : 44
    return labelMarker(
      L.marker(at, { icon: L.divIcon({ className: classes.cluster, html: shown, iconSize: [size, size] }) }),
      `${count.toLocaleString('en-US')} listings`,
    )
  }
  function pin(one: MapPin): L.Marker {
    const icon = L.divIcon({ className: classes.pin, iconSize: [24, 24] })
    const mark = labelMarker(L.marker([one.latitude, one.longitude], { icon, title: one.title }), handlers.name(one))
    mark.on('add', () => {
      mark.getElement()?.style.setProperty('--pin', getPinColor(one))
      mark.getElement()?.style.setProperty('--status', getStatusColor(one.status))
    })
    onActivate(mark, () => handlers.choose([one]))
    return mark
  }
  /** Zooms into the cluster, or lists its pins if they share one place. */
  function open(id: number, mark: L.Marker) {
    const zoom = index.getClusterExpansionZoom(id)
    if (zoom > clusterOptions.maxZoom)
      handlers.choose(index.getLeaves(id, maxPinsPerPlace).map(({ properties }) => properties))
    else map.setView(mark.getLatLng(), zoom)
  }

  const tell = () => {
    const seen = map.getBounds()
    handlers.moved({ left: seen.getWest(), right: seen.getEast(), up: seen.getNorth(), down: seen.getSouth() })
  }
  map.on('moveend', () => {
    draw()
    tell()
  })
  tell()

  return {
    showPins(pins) {
      index = new Supercluster<MapPin>(clusterOptions).load(
        pins.map((one) => ({
          type: 'Feature',
          properties: one,
          geometry: { type: 'Point', coordinates: [one.longitude, one.latitude] },
        })),
      )
      for (const mark of drawn.values()) marks.removeLayer(mark)
      drawn = new Map()
      draw()
    },
    showAreas(shown) {
      areas.clearLayers()
      for (const { points, color, campaign_title } of shown) {
        const border = L.polygon(
          points.map(({ latitude, longitude }): L.LatLngTuple => [latitude, longitude]),
          { renderer: canvas, color, weight: 2, fillOpacity: 0.12 },
        )
        border.bindTooltip(() => createTextElement(campaign_title), { sticky: true })
        areas.addLayer(border)
      }
    },
    end,
  }
}

/** Renders user input as text, never as markup. */
function createTextElement(words: string): HTMLElement {
  const element = document.createElement('span')
  element.textContent = words
  return element
}

function labelMarker(mark: L.Marker, name: string): L.Marker {
  return mark.on('add', () => mark.getElement()?.setAttribute('aria-label', name))
}

/** Calls `what` on click, Enter and Space. */
function onActivate(mark: L.Marker, what: () => void) {
  mark.off('click').on('click', what)
  mark.off('keypress').on('keypress', ({ originalEvent }: L.LeafletKeyboardEvent) => {
    if (originalEvent.key === 'Enter' || originalEvent.key === ' ') what()
  })
}
