import kinks from '@turf/kinks'

/** Degrees, as `lat` and `lng`. */
export type GeoPoint = { lat: number; lng: number }

export const selfIntersectionMessage = "you can't draw that!"
export const minPolygonPoints = 3
export const maxPolygonPoints = 500

/** What is wrong with a polygon of these corners, in a sentence; nothing where its border never meets itself. */
export function validatePolygon(points: readonly GeoPoint[]): string | undefined {
  const places = new Set(points.map(({ lat, lng }) => `${lat} ${lng}`))
  if (places.size < points.length) return 'Two points are at the same place'
  return isSelfIntersecting(points, true) ? selfIntersectionMessage : undefined
}

/**
 * Whether a border meets itself: two edges that cross, touch or lie upon each other. `closed` takes the edge from the last
 * point back to the first with it; while a polygon is being drawn, that edge is not there yet.
 */
export function isSelfIntersecting(points: readonly GeoPoint[], closed: boolean): boolean {
  const first = points[0]
  if (!first || points.length < 3) return false
  const corners = closed ? [...points, first] : points
  const coordinates = corners.map(({ lng, lat }) => [lng, lat])
  return hasOverlappingEdges(points, closed) || kinks({ type: 'LineString', coordinates }).features.length > 0
}

/** Two neighbouring edges that lie upon each other: the library looks at edges that are no neighbours. */
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
const toRadians = (degrees: number) => (degrees * Math.PI) / 180

/** Its surface in square miles, on a globe. */
export function computeSquareMiles(points: readonly GeoPoint[]): number {
  const sum = points.reduce((total, here, index) => {
    const next = points[(index + 1) % points.length] ?? here
    return total + toRadians(next.lng - here.lng) * (2 + Math.sin(toRadians(here.lat)) + Math.sin(toRadians(next.lat)))
  }, 0)
  return (Math.abs(sum) * earthRadiusMiles ** 2) / 2
}
