import { type GeoPoint, toRadians } from './polygon.ts'

const milesPerDegree = 69

/** Returns the distance in miles, on a sphere. */
export function computeMiles(a: GeoPoint, b: GeoPoint): number {
  const [dLat, dLng] = [toRadians(b.lat - a.lat) / 2, toRadians(b.lng - a.lng) / 2]
  const part = Math.sin(dLat) ** 2 + Math.cos(toRadians(a.lat)) * Math.cos(toRadians(b.lat)) * Math.sin(dLng) ** 2
  return 2 * 3959 * Math.asin(Math.min(1, Math.sqrt(part)))
}

/** Returns the corners of a polygon around a circle: it holds all of the circle. */
export function buildCircle({ lat, lng }: GeoPoint, miles: number, corners: number): GeoPoint[] {
  const reach = miles / Math.cos(Math.PI / corners) / milesPerDegree
  return Array.from({ length: corners }, (_, index) => {
    const angle = (index / corners) * 2 * Math.PI
    return { lat: lat + reach * Math.sin(angle), lng: lng + (reach * Math.cos(angle)) / Math.cos(toRadians(lat)) }
  })
}

/** Returns the corners of the convex hull, counterclockwise (the monotone chain of Andrew). */
export function buildHull(points: readonly GeoPoint[]): GeoPoint[] {
  const sorted = points.toSorted((a, b) => a.lng - b.lng || a.lat - b.lat)
  const chain = (along: readonly GeoPoint[]) => {
    const corners: GeoPoint[] = []
    for (const point of along) {
      while (corners.length >= 2 && !turnsLeft(corners.at(-2)!, corners.at(-1)!, point)) corners.pop()
      corners.push(point)
    }
    return corners.slice(0, -1)
  }
  return [...chain(sorted), ...chain(sorted.toReversed())]
}

const turnsLeft = (a: GeoPoint, b: GeoPoint, c: GeoPoint) =>
  (b.lng - a.lng) * (c.lat - a.lat) - (b.lat - a.lat) * (c.lng - a.lng) > 1e-12
