import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  computeSquareMiles,
  dateLineMessage,
  isSelfIntersecting,
  selfIntersectionMessage,
  validatePolygon,
} from './polygon.ts'

/** `0 0, 4 0, 4 4` as longitude and latitude. */
const shape = (corners: string) =>
  corners.split(', ').map((corner) => {
    const [lng = 0, lat = 0] = corner.split(' ').map(Number)
    return { lat, lng }
  })

test.each([
  ['a triangle', '0 0, 4 0, 2 3'],
  ['a square', '0 0, 4 0, 4 4, 0 4'],
  ['an arrow that bends inwards', '0 0, 4 0, 4 4, 2 1'],
  ['a corner on a straight edge', '0 0, 2 0, 4 0, 4 4'],
])('%s can be drawn, from any corner and either way round', (_, corners) => {
  const points = shape(corners)
  for (const [index] of points.entries()) {
    const turned = [...points.slice(index), ...points.slice(0, index)]
    expect(validatePolygon(turned)).toBeUndefined()
    expect(validatePolygon(turned.toReversed())).toBeUndefined()
  }
})

test.each([
  ['a bow tie', '0 0, 4 4, 4 0, 0 4'],
  ['a corner that touches an edge', '0 0, 4 0, 4 4, 2 0, 0 4'],
  ['an edge that runs back over its neighbor', '0 0, 4 0, 2 0, 2 4'],
  ['a line there and back', '0 0, 2 0, 4 0'],
  ['an edge upon a far one', '0 0, 4 0, 4 2, 3 2, 3 0, 1 0, 1 2, 0 2'],
])('%s cannot be drawn', (_, corners) => {
  const points = shape(corners)
  for (const [index] of points.entries()) {
    const turned = [...points.slice(index), ...points.slice(0, index)]
    expect(validatePolygon(turned)).toBe(selfIntersectionMessage)
    expect(validatePolygon(turned.toReversed())).toBe(selfIntersectionMessage)
  }
})

test('a repeated point is reported before any other problem', () => {
  expect(validatePolygon(shape('0 0, 4 0, 4 4, 4 0'))).toBe('Two points are at the same place')
})

test('while drawing, the edge back to the start does not count yet', () => {
  const open = shape('0 0, 4 0, 4 4, 2 1, 2 -1')
  expect([isSelfIntersecting(open.slice(0, 4), false), isSelfIntersecting(open, false)]).toEqual([false, true])
  const round = shape('0 0, 4 0, 4 4, 1 -1')
  expect([isSelfIntersecting(round.slice(0, 3), false), isSelfIntersecting(round, true)]).toEqual([false, true])
})

/** Returns corners around a center, at these distances from it. */
const around = (radii: readonly number[]) =>
  radii.map((radius, index) => {
    const angle = (index / radii.length) * 2 * Math.PI
    return { lat: radius * Math.sin(angle), lng: radius * Math.cos(angle) }
  })

test('corners around a center can be drawn at any distances', () => {
  const radii = fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: 5, maxLength: 80 })
  fc.assert(
    fc.property(radii, (distances) => {
      expect(validatePolygon(around(distances))).toBeUndefined()
    }),
  )
})

test('swapping two adjacent corners of a round shape makes it cross itself', () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 80 }), fc.nat(), (count, at) => {
      const points = around(Array.from({ length: count }, () => 1))
      const [first, second] = [at % count, (at + 1) % count]
      expect(validatePolygon(points.with(first, points[second]!).with(second, points[first]!))).toBe(
        selfIntersectionMessage,
      )
    }),
  )
})

test('the area is in square miles: Colorado, nearly a rectangle, has 104,094', () => {
  expect(computeSquareMiles(shape('-109.06 36.99, -102.04 36.99, -102.04 41.0, -109.06 41.0')) / 104_094).toBeCloseTo(
    1,
    1,
  )
})

test('a drawing of 500 points is accepted', () => {
  const points = Array.from({ length: 500 }, (_, index) => {
    const angle = (index / 500) * 2 * Math.PI
    return { lat: 38 + 3 * Math.sin(angle), lng: -96 + 4 * Math.cos(angle) }
  })
  expect(validatePolygon(points)).toBeUndefined()
})

test('an area over the date line is refused in words, and one beside it is not', () => {
  for (const corners of ['179 50, -179 50, -179 52, 179 52', '170 -18, -175 -18, 178 -16'])
    expect(validatePolygon(shape(corners))).toBe(dateLineMessage)
  for (const corners of [
    '178 50, 180 50, 180 52, 178 52',
    '-180 50, -178 50, -178 52',
    '-170 20, -66 20, -66 70, -170 70',
  ])
    expect(validatePolygon(shape(corners))).toBeUndefined()
})
