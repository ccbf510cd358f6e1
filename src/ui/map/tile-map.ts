import L from 'leaflet'

type TileMapOptions = {
  center: L.LatLngTuple
  zoom: number
  tileUrl: string
  /** Whether tiles arrive. */
  tiles: (arrive: boolean) => void
  options?: L.MapOptions
}

const worldBounds = L.latLngBounds([-85, -180], [85, 180])

/** A map of the one world in this element, as large as it is, until `end`. Loads Leaflet: import it lazily. */
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
    // OpenStreetMap wants to know which site asks; our pages tell nobody anything else.
    referrerPolicy: 'strict-origin-when-cross-origin',
  }).addTo(map)
  layer.on('tileerror', () => tiles(false))
  layer.on('tileload', () => tiles(true))
  const size = new ResizeObserver(() => map.invalidateSize({ animate: false }))
  size.observe(element)
  const end = () => {
    size.disconnect()
    map.remove()
  }
  return { map, end }
}
