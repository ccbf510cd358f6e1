import { createServer } from 'node:http'
import { escapeHtml } from './escape-html.ts'
import { startListening, stopListening } from './local-server.ts'

/** A position in degrees, and its name if the map should show it. */
export type MapMark = { lat: number; lng: number; name?: string }
type TileStandIn = { url: string; requested: string[]; close: () => Promise<void> }

const tileSize = 256

/**
 * Starts a tile server like OpenStreetMap's: `/{z}/{x}/{y}.png`. Its tiles are simple drawings: degrees as lines, the given marks as
 * dots, and names where there is room. `requested` has the paths.
 */
export async function startTileStandIn(marks: readonly MapMark[] = []): Promise<TileStandIn> {
  const requested: string[] = []
  const server = createServer((request, response) => {
    const found = /^\/(\d{1,2})\/(\d{1,7})\/(\d{1,7})\.png$/.exec(request.url ?? '')
    requested.push(request.url ?? '')
    if (!found) return response.writeHead(404).end()
    const [zoom, x, y] = found.slice(1).map(Number) as [number, number, number]
    response.writeHead(200, { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=3600' })
    return response.end(renderTile(marks, zoom, x, y))
  })
  const port = await startListening(server)
  return {
    url: `http://127.0.0.1:${port}/{z}/{x}/{y}.png`,
    requested,
    close: () => stopListening(server),
  }
}

function renderTile(marks: readonly MapMark[], zoom: number, x: number, y: number): string {
  const place = ({ lat, lng }: MapMark) => {
    const [right, down] = projectMercator(lat, lng, zoom)
    return [Math.round(right - x * tileSize), Math.round(down - y * tileSize)] as const
  }
  const dots = new Set<string>()
  const names: string[] = []
  for (const mark of marks) {
    const [right, down] = place(mark)
    if (right < -60 || right > tileSize + 60 || down < -20 || down > tileSize + 20) continue
    if (mark.name && zoom > 4) names.push(`<text x="${right + 5}" y="${down + 4}">${escapeHtml(mark.name)}</text>`)
    dots.add(`M${right} ${down}h0`) // marks at the same point share a dot
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${tileSize}" height="${tileSize}" font-family="sans-serif" font-size="11" fill="#475264">
<rect width="${tileSize}" height="${tileSize}" fill="#eef2f5"/>${renderDegreeLines(zoom, x, y)}
<path d="${[...dots].join('')}" stroke="#a9b8c9" stroke-width="${zoom < 7 ? 2 : 4}" stroke-linecap="round"/>${names.join('')}</svg>`
}

/** Returns the degree lines of a tile, at a distance that depends on the zoom. */
function renderDegreeLines(zoom: number, x: number, y: number): string {
  const apart = [90, 45, 30, 15, 10, 5, 2, 1, 0.5, 0.25, 0.1][Math.min(zoom, 10)] ?? 0.1
  const lines: string[] = []
  for (let lng = -180; lng <= 180; lng += apart) {
    const right = projectMercator(0, lng, zoom)[0] - x * tileSize
    if (right >= 0 && right < tileSize) lines.push(`M${right.toFixed(1)} 0v${tileSize}`)
  }
  for (let lat = -85; lat <= 85; lat += apart) {
    const down = projectMercator(lat, 0, zoom)[1] - y * tileSize
    if (down >= 0 && down < tileSize) lines.push(`M0 ${down.toFixed(1)}h${tileSize}`)
  }
  return `<path d="${lines.join('')}" stroke="#d5dde6"/>`
}

/** Returns the Web Mercator position in pixels from the map's upper left corner. */
function projectMercator(lat: number, lng: number, zoom: number): [right: number, down: number] {
  const world = tileSize * 2 ** zoom
  const radians = (lat * Math.PI) / 180
  return [((lng + 180) / 360) * world, ((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * world]
}
