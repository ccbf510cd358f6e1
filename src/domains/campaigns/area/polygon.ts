import kinks from '@turf/kinks'

/** Degrees, as `lat` and `lng`. */
export type GeoPoint = { lat: number; lng: number }

export const selfIntersectionMessage = "you can't draw that!"
export const dateLineMessage = 'An area cannot cross the date line (longitude 180)'
export const minPolygonPoints = 3
export const maxPolygonPoints = 500

/** Returns what is wrong with a polygon of these corners, as a sentence; undefined for a simple polygon. */
export function validatePolygon(points: readonly GeoPoint[]): string | undefined {
  const places = new Set(points.map(({ lat, lng }) => `${lat} ${lng}`))
  if (places.size < points.length) return 'Two points are at the same place'
  const isTooWide = points.some((here, index) => Math.abs((points.at(index - 1) ?? here).lng - here.lng) > 180)
  // Such an edge is meant to go the short way, over the date line; everything that reads an area would take the long way.
  if (isTooWide) return dateLineMessage
  return isSelfIntersecting(points, true) ? selfIntersectionMessage : undefined
}

/**
 * Returns whether two edges of a border cross, touch or overlap. `closed` includes the edge from the last point back to
 * the first, which does not exist yet while a polygon is being drawn.
 */
export function isSelfIntersecting(points: readonly GeoPoint[], closed: boolean): boolean {
  const first = points[0]
  if (!first || points.length < 3) return false
  const corners = closed ? [...points, first] : points
  const coordinates = corners.map(({ lng, lat }) => [lng, lat])
  return hasOverlappingEdges(points, closed) || kinks({ type: 'LineString', coordinates }).features.length > 0
}

/** Returns whether two adjacent edges overlap, because the library only checks edges that are not adjacent. */
function hasOverlappingEdges(points: readonly GeoPoint[], closed: boolean): boolean {
  return points.some((here, index) => {
    const before = points[index - 1] ?? (closed ? points.at(-1) : undefined)
    const after = points[index + 1] ?? (closed ? points[0] : undefined)
    if (!before || !after) return false
    const [backX, backY] = [before.lng - here.lng, before.lat - here.lat]
    const [onX, onY] = [after.lng - here.lng, after.lat - here.lat]
    return backX * onY === backY * onX && backX * onX + backY * onY > 0
  })
}

const earthRadiusMiles = 3959
export const toRadians = (degrees: number) => (degrees * Math.PI) / 180

/** Returns the polygon's area in square miles, on a sphere. */
export function computeSquareMiles(points: readonly GeoPoint[]): number {
  const sum = points.reduce((total, here, index) => {
    const next = points[(index + 1) % points.length] ?? here
    return total + toRadians(next.lng - here.lng) * (2 + Math.sin(toRadians(here.lat)) + Math.sin(toRadians(next.lat)))
  }, 0)
  return (Math.abs(sum) * earthRadiusMiles ** 2) / 2
}
