import { expect, test } from 'vitest'
import { selfIntersectionMessage } from '../polygon.ts'
import { type AreaDrawing, createDrawing, type DrawingStep, reduceDrawing } from './drawing.ts'

const square = [
  { lat: 0, lng: 0 },
  { lat: 0, lng: 4 },
  { lat: 4, lng: 4 },
  { lat: 4, lng: 0 },
]
const after = (start: AreaDrawing, ...steps: DrawingStep[]) => steps.reduce(reduceDrawing, start)
const stored = createDrawing(square)
const add = (lat: number, lng: number): DrawingStep => ({ do: 'add', point: { lat, lng } })

test('a refused step says why and changes nothing; the next accepted one clears the message', () => {
  const refused = reduceDrawing(stored, { do: 'move', index: 0, point: { lat: 3, lng: 9 } })
  expect([refused.shape, refused.past, refused.refused]).toEqual([stored.shape, [], selfIntersectionMessage])
  expect(reduceDrawing(refused, { do: 'move', index: 0, point: { lat: -1, lng: 0 } }).refused).toBeNull()
})

test('nudges of one point are undone together, those of two points separately', () => {
  const nudge = (index: number, lat: number): DrawingStep => ({ do: 'nudge', index, point: { lat, lng: 0 } })
  const moved = after(stored, nudge(0, -1), nudge(0, -2), nudge(0, -3), nudge(3, 5))
  const once = reduceDrawing(moved, { do: 'undo' })
  expect(once.shape.points[0]).toEqual({ lat: -3, lng: 0 })
  expect(reduceDrawing(once, { do: 'undo' }).shape).toEqual(stored.shape)
})

test('canceling a drawing restores the old shape and its history', () => {
  const changed = reduceDrawing(stored, { do: 'remove', index: 2 })
  const left = after(changed, { do: 'begin' }, add(0, 0), add(1, 0), { do: 'cancel' })
  expect(left.shape).toEqual(changed.shape)
  expect(reduceDrawing(left, { do: 'undo' }).shape).toEqual(stored.shape)
})

test('points are rounded to a tenth of a meter, and kept on the globe', () => {
  const { shape } = after(createDrawing([]), { do: 'begin' }, add(12.345678901, 190), add(-89, 0.1234565))
  expect(shape.points).toEqual([
    { lat: 12.345679, lng: 180 },
    { lat: -85, lng: 0.123457 },
  ])
})

test('two corners cannot be closed, three cannot lose one, and 500 accept no more', () => {
  const two = after(createDrawing([]), { do: 'begin' }, add(0, 0), add(1, 0))
  expect(reduceDrawing(two, { do: 'close' }).refused).toBe('An area needs at least 3 points')
  const three = createDrawing(square.slice(0, 3))
  expect(reduceDrawing(three, { do: 'remove', index: 0 }).refused).toBe('An area needs at least 3 points')
  const full = createDrawing(
    Array.from({ length: 500 }, (_, index) => ({ lat: Math.sin(index / 80), lng: Math.cos(index / 80) })),
  )
  expect(reduceDrawing(full, { do: 'insert', index: 1, point: { lat: 0.006, lng: 1.1 } }).refused).toBe(
    'An area has at most 500 points',
  )
})
