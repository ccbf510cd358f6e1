import { cannotDraw, crossesItself, leastPoints, mostPoints, type Point, wrongWith } from '../polygon.ts'

/** The corners as they stand; `open` while the polygon is being drawn and its last corner is not joined to the first. */
export type Shape = { points: readonly Point[]; open: boolean }

/** A drawing and how it came about. `refused` says why the last step was not taken. */
export type Drawing = {
  shape: Shape
  past: readonly Shape[]
  selected: number | null
  refused: string | null
  /** The point that small steps move: together they are one step back. */
  nudging: number | null
}

export type Step =
  | { do: 'load'; points: readonly Point[] }
  | { do: 'begin' }
  | { do: 'add'; point: Point }
  | { do: 'close' }
  | { do: 'cancel' }
  | { do: 'place'; points: readonly Point[] }
  | { do: 'move' | 'nudge'; index: number; point: Point }
  | { do: 'insert'; index: number; point: Point }
  | { do: 'remove'; index: number }
  | { do: 'select'; index: number | null }
  | { do: 'undo' }

export const drawingOf = (points: readonly Point[]): Drawing => ({
  shape: { points, open: false },
  past: [],
  selected: null,
  refused: null,
  nudging: null,
})

/** The drawing after a step. A step that would make the border meet itself is refused and changes nothing else. */
export function draw(drawing: Drawing, step: Step): Drawing {
  const { shape, past, selected } = drawing
  const { points } = shape
  switch (step.do) {
    case 'load':
      return drawingOf(step.points)
    case 'begin':
      return after(drawing, { points: [], open: true }, null)
    case 'add': {
      const next = [...points, rounded(step.point)]
      if (points.length === mostPoints) return refuse(drawing, tooMany)
      return crossesItself(next, false)
        ? refuse(drawing, cannotDraw)
        : after(drawing, { points: next, open: true }, null)
    }
    case 'close':
      if (points.length < leastPoints) return refuse(drawing, tooFew)
      return checked(drawing, points, null)
    case 'cancel': {
      const before = past.findLastIndex((one) => !one.open)
      return before < 0 ? drawing : { ...drawingOf(past[before]!.points), past: past.slice(0, before) }
    }
    case 'place':
      return checked(drawing, step.points.map(rounded), 0)
    case 'move':
      return checked(drawing, points.with(step.index, rounded(step.point)), step.index)
    case 'nudge': {
      const next = checked(drawing, points.with(step.index, rounded(step.point)), step.index)
      if (next.refused !== null) return next
      const goesOn = drawing.nudging === step.index
      return { ...next, past: goesOn ? past : next.past, nudging: step.index }
    }
    case 'insert':
      if (points.length === mostPoints) return refuse(drawing, tooMany)
      return checked(drawing, points.toSpliced(step.index, 0, rounded(step.point)), step.index)
    case 'remove':
      if (points.length === leastPoints) return refuse(drawing, tooFew)
      return checked(drawing, points.toSpliced(step.index, 1), Math.min(step.index, points.length - 2))
    case 'select':
      return { ...drawing, selected: step.index, nudging: step.index === selected ? drawing.nudging : null }
    case 'undo': {
      const before = past.at(-1)
      return before ? { ...drawingOf(before.points), shape: before, past: past.slice(0, -1) } : drawing
    }
  }
}

const tooFew = `An area needs at least ${leastPoints} points`
const tooMany = `An area has at most ${mostPoints} points`

/** A closed polygon with these corners, unless something is wrong with them. */
function checked(drawing: Drawing, points: readonly Point[], selected: number | null): Drawing {
  const wrong = wrongWith(points)
  return wrong ? refuse(drawing, wrong) : after(drawing, { points, open: false }, selected)
}

const refuse = (drawing: Drawing, refused: string): Drawing => ({ ...drawing, refused })

const mostSteps = 200
const after = ({ shape, past }: Drawing, next: Shape, selected: number | null): Drawing => ({
  shape: next,
  past: [...past, shape].slice(-mostSteps),
  selected,
  refused: null,
  nudging: null,
})

/** To a tenth of a metre; a map that is panned around the world counts on beyond 180 degrees. */
function rounded({ lat, lng }: Point): Point {
  const exact = (degrees: number, most: number) => Math.round(Math.max(-most, Math.min(most, degrees)) * 1e6) / 1e6
  return { lat: exact(lat, 85), lng: exact(lng, 180) }
}
