import L from 'leaflet'
import { getPrintScale } from '../layout/printing.ts'

type TileMapOptions = {
  center: L.LatLngTuple
  zoom: number
  tileUrl: string
  /** Called with whether tiles load. */
  tiles: (arrive: boolean) => void
  options?: L.MapOptions
}

const worldBounds = L.latLngBounds([-85, -180], [85, 180])

/** Creates a map that fills this element, until `end`. Loads Leaflet: import this file lazily. */
export function createTileMap(element: HTMLElement, { center, zoom, tileUrl, tiles, options }: TileMapOptions) {
  const map = L.map(element, {
    center,
    zoom,
    minZoom: 3,
    maxBounds: worldBounds,
    maxBoundsViscosity: 1,
    attributionControl: false,
    ...options,
  })
  L.control.scale({ metric: false }).addTo(map)
  const layer = L.tileLayer(tileUrl, {
    maxZoom: 19,
    // OpenStreetMap requires a referrer; our pages send none elsewhere.
    referrerPolicy: 'strict-origin-when-cross-origin',
  }).addTo(map)
  layer.on('tileerror', () => tiles(false))
  layer.on('tileload', () => tiles(true))
  const size = new ResizeObserver(() => {
    // Paper has the part that was seen, scaled: the images of another could not load in time.
    const { offsetWidth: width, offsetHeight: height, style } = element
    style.setProperty('--seen-width', `${width}px`)
    style.setProperty('--seen-height', `${height}px`)
    style.setProperty('--print-scale', String(getPrintScale(width)))
    map.invalidateSize({ animate: false })
  })
  size.observe(element)
  const end = () => {
    size.disconnect()
    map.remove()
  }
  return { map, end }
}
