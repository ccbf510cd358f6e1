import kinks from '@turf/kinks'

/** Degrees, as `lat` and `lng`. */
export type Point = { lat: number; lng: number }

export const cannotDraw = "you can't draw that!"
export const leastPoints = 3
export const mostPoints = 500

/** What is wrong with a polygon of these corners, in a sentence; nothing where its border never meets itself. */
export function wrongWith(points: readonly Point[]): string | undefined {
  const places = new Set(points.map(({ lat, lng }) => `${lat} ${lng}`))
  if (places.size < points.length) return 'Two points are at the same place'
  return crossesItself(points, true) ? cannotDraw : undefined
}

/**
 * Whether a border meets itself: two edges that cross, touch or lie upon each other. `closed` takes the edge from the last
 * point back to the first with it; while a polygon is being drawn, that edge is not there yet.
 */
export function crossesItself(points: readonly Point[], closed: boolean): boolean {
  const first = points[0]
  if (!first || points.length < 3) return false
  const corners = closed ? [...points, first] : points
  const coordinates = corners.map(({ lng, lat }) => [lng, lat])
  return foldsBack(points, closed) || kinks({ type: 'LineString', coordinates }).features.length > 0
}

/** Two neighbouring edges that lie upon each other: the library looks at edges that are no neighbours. */
function foldsBack(points: readonly Point[], closed: boolean): boolean {
  return points.some((here, index) => {
    const before = points[index - 1] ?? (closed ? points.at(-1) : undefined)
    const after = points[index + 1] ?? (closed ? points[0] : undefined)
    if (!before || !after) return false
    const [backX, backY] = [before.lng - here.lng, before.lat - here.lat]
    const [onX, onY] = [after.lng - here.lng, after.lat - here.lat]
    return backX * onY === backY * onX && backX * onX + backY * onY > 0
  })
}

const earthRadius = 3959
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Its surface in square miles, on a globe. */
export function squareMiles(points: readonly Point[]): number {
  const sum = points.reduce((total, here, index) => {
    const next = points[(index + 1) % points.length] ?? here
    return total + radians(next.lng - here.lng) * (2 + Math.sin(radians(here.lat)) + Math.sin(radians(next.lat)))
  }, 0)
  return (Math.abs(sum) * earthRadius ** 2) / 2
}
