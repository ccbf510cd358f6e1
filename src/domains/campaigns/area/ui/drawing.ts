import {
  type GeoPoint,
  isSelfIntersecting,
  maxPolygonPoints,
  minPolygonPoints,
  selfIntersectionMessage,
  validatePolygon,
} from '../polygon.ts'

/** The current corners; `open` while the polygon is being drawn and its last corner is not yet joined to the first. */
export type AreaShape = { points: readonly GeoPoint[]; open: boolean }

/** A drawing with its history. `refused` says why the last step was rejected. */
export type AreaDrawing = {
  shape: AreaShape
  past: readonly AreaShape[]
  selected: number | null
  refused: string | null
  /** The point being nudged; all its nudges are undone together. */
  nudging: number | null
}

export type DrawingStep =
  | { do: 'load'; points: readonly GeoPoint[] }
  | { do: 'begin' }
  | { do: 'add'; point: GeoPoint }
  | { do: 'close' }
  | { do: 'cancel' }
  | { do: 'place'; points: readonly GeoPoint[] }
  | { do: 'move' | 'nudge'; index: number; point: GeoPoint }
  | { do: 'insert'; index: number; point: GeoPoint }
  | { do: 'remove'; index: number }
  | { do: 'select'; index: number | null }
  | { do: 'undo' }

export const createDrawing = (points: readonly GeoPoint[]): AreaDrawing => ({
  shape: { points, open: false },
  past: [],
  selected: null,
  refused: null,
  nudging: null,
})

/** Returns the drawing after a step. A step that would make the border cross itself is rejected and changes nothing else. */
export function reduceDrawing(drawing: AreaDrawing, step: DrawingStep): AreaDrawing {
  const { shape, past, selected } = drawing
  const { points } = shape
  switch (step.do) {
    case 'load':
      return createDrawing(step.points)
    case 'begin':
      return pushShape(drawing, { points: [], open: true }, null)
    case 'add': {
      const next = [...points, roundPoint(step.point)]
      if (points.length === maxPolygonPoints) return rejectStep(drawing, tooManyPointsMessage)
      return isSelfIntersecting(next, false)
        ? rejectStep(drawing, selfIntersectionMessage)
        : pushShape(drawing, { points: next, open: true }, null)
    }
    case 'close':
      if (points.length < minPolygonPoints) return rejectStep(drawing, tooFewPointsMessage)
      return applyClosedShape(drawing, points, null)
    case 'cancel': {
      const before = past.findLastIndex((one) => !one.open)
      return before < 0 ? drawing : { ...createDrawing(past[before]!.points), past: past.slice(0, before) }
    }
    case 'place':
      return applyClosedShape(drawing, step.points.map(roundPoint), 0)
    case 'move':
      return applyClosedShape(drawing, points.with(step.index, roundPoint(step.point)), step.index)
    case 'nudge': {
      const next = applyClosedShape(drawing, points.with(step.index, roundPoint(step.point)), step.index)
      if (next.refused !== null) return next
      const goesOn = drawing.nudging === step.index
      return { ...next, past: goesOn ? past : next.past, nudging: step.index }
    }
    case 'insert':
      if (points.length === maxPolygonPoints) return rejectStep(drawing, tooManyPointsMessage)
      return applyClosedShape(drawing, points.toSpliced(step.index, 0, roundPoint(step.point)), step.index)
    case 'remove':
      if (points.length === minPolygonPoints) return rejectStep(drawing, tooFewPointsMessage)
      return applyClosedShape(drawing, points.toSpliced(step.index, 1), Math.min(step.index, points.length - 2))
    case 'select':
      return { ...drawing, selected: step.index, nudging: step.index === selected ? drawing.nudging : null }
    case 'undo': {
      const before = past.at(-1)
      return before ? { ...createDrawing(before.points), shape: before, past: past.slice(0, -1) } : drawing
    }
  }
}

const tooFewPointsMessage = `An area needs at least ${minPolygonPoints} points`
const tooManyPointsMessage = `An area has at most ${maxPolygonPoints} points`

/** Closes the polygon with these corners, unless they are invalid. */
function applyClosedShape(drawing: AreaDrawing, points: readonly GeoPoint[], selected: number | null): AreaDrawing {
  const wrong = validatePolygon(points)
  return wrong ? rejectStep(drawing, wrong) : pushShape(drawing, { points, open: false }, selected)
}

const rejectStep = (drawing: AreaDrawing, refused: string): AreaDrawing => ({ ...drawing, refused })

const maxUndoSteps = 200
const pushShape = ({ shape, past }: AreaDrawing, next: AreaShape, selected: number | null): AreaDrawing => ({
  shape: next,
  past: [...past, shape].slice(-maxUndoSteps),
  selected,
  refused: null,
  nudging: null,
})

/** Rounds to a tenth of a meter and clamps, because a map panned around the world goes beyond 180 degrees. */
function roundPoint({ lat, lng }: GeoPoint): GeoPoint {
  const exact = (degrees: number, most: number) => Math.round(Math.max(-most, Math.min(most, degrees)) * 1e6) / 1e6
  return { lat: exact(lat, 85), lng: exact(lng, 180) }
}
