import { Button } from '@mantine/core'
import { IconArrowBackUp, IconPolygon, IconTrash } from '@tabler/icons-react'
import { useEffect, useReducer, useRef, useState } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { readConflict } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { LoadingPage } from '#ui/feedback/page-states.tsx'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { isTypingTarget } from '#ui/layout/shortcuts.ts'
import { useIsOpen } from '#ui/layout/useIsOpen.ts'
import text from '#ui/theme/text.module.css'
import { type CampaignArea, campaignAreasContract } from '../contract.ts'
import classes from './AreaMap.module.css'
import { AreaObjects } from './AreaObjects.tsx'
import { createDrawing, reduceDrawing } from './drawing.ts'
import type { DrawingMap } from './drawn-map.ts'
import { emptyMaking, MakeArea } from './MakeArea.tsx'
import { MapView } from './MapView.tsx'
import { PointList } from './PointList.tsx'

type AreaEditorProps = {
  campaignId: number
  onChanged: (changed: boolean) => void
  onSaved: () => void
  onLeave: () => void
}

/** Loads the area before showing the map: an empty map would invite users to draw. */
export function AreaEditor(props: AreaEditorProps) {
  const area = useApi(campaignAreasContract.get, { params: { id: props.campaignId } }, { quiet: true })
  // Editing starts from the first read. Changes that others save in the meantime show up as a conflict on save.
  const [first, setFirst] = useState<CampaignArea>()
  if (!first && area.data && !area.isFetching) setFirst(area.data)
  if (first) return <LoadedAreaEditor {...props} stored={first} />
  return area.error ? <QueryError what="The area" error={area.error} retry={area.refetch} /> : <LoadingPage />
}

function LoadedAreaEditor({
  campaignId,
  onChanged,
  onSaved,
  onLeave,
  stored,
}: AreaEditorProps & { stored: CampaignArea }) {
  const [saved, setSaved] = useState(stored)
  const [newer, setNewer] = useState<CampaignArea>()
  const [drawing, step] = useReducer(reduceDrawing, createDrawing(stored.points))
  const [making, setMaking] = useState(emptyMaking)
  const view = useRef<DrawingMap>(null)
  const isOpen = useIsOpen()
  const save = useAction(campaignAreasContract.save)
  const remove = useAction(campaignAreasContract.remove)
  const mayDraw = campaignAreasContract.save.allow(useCurrentUser())
  const { shape, past, refused } = drawing
  const isEmpty = shape.points.length === 0 && !shape.open
  const changed = shape.open ? shape.points.length > 0 : !arePointsEqual(shape.points, saved.points)

  const isTyped = [making.zip_codes, making.place, making.radius].some((typed) => typed.trim() !== '')
  useEffect(() => onChanged(changed || isTyped), [changed, isTyped, onChanged])
  useEditorKeys({
    onEscape: () => (shape.open ? step({ do: 'cancel' }) : onLeave()),
    onUndo: () => step({ do: 'undo' }),
    onEnter: () => shape.open && step({ do: 'close' }),
  })

  function meets(problem: unknown) {
    const now = readConflict(campaignAreasContract.save, problem)
    if (now) setNewer(now)
  }
  async function keep() {
    const outcome = await save.run({
      params: { id: campaignId },
      body: { points: [...shape.points], version: saved.version },
    })
    if (!isOpen()) return
    if (outcome.done) onSaved()
    else meets(outcome.problem)
  }
  async function clear() {
    const outcome = await remove.run({ params: { id: campaignId }, query: { version: saved.version } })
    if (outcome.done) {
      setSaved({ points: [], version: saved.version + 1 })
      step({ do: 'load', points: [] })
    } else meets(outcome.problem)
  }
  function take(area: CampaignArea, points: CampaignArea['points'] | null) {
    setSaved(area)
    setNewer(undefined)
    if (points) {
      step({ do: 'load', points })
      view.current?.fit(points)
    }
  }

  return (
    <div className={classes.editor}>
      <div className={classes.mapSide}>
        {mayDraw && (
          <div className={classes.tools} role="toolbar" aria-label="Area">
            {shape.open ? (
              <>
                <Button disabled={shape.points.length < 3} onClick={() => step({ do: 'close' })}>
                  Finish
                </Button>
                <Button variant="default" onClick={() => step({ do: 'cancel' })}>
                  Cancel drawing
                </Button>
              </>
            ) : (
              <Button
                variant="default"
                leftSection={<IconPolygon size={16} aria-hidden="true" />}
                onClick={() => step({ do: 'begin' })}
              >
                {isEmpty ? 'Draw polygon' : 'Draw again'}
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconArrowBackUp size={16} aria-hidden="true" />}
              disabled={past.length === 0}
              title="Ctrl+Z"
              onClick={() => step({ do: 'undo' })}
            >
              Undo
            </Button>
            {!shape.open && (
              <Button disabled={!changed || isEmpty} loading={save.running} onClick={() => void keep()}>
                Save
              </Button>
            )}
            <span className={arrange.grow} />
            {saved.points.length > 0 && !shape.open && (
              <Button
                variant="default"
                leftSection={<IconTrash size={16} aria-hidden="true" />}
                loading={remove.running}
                onClick={() => void clear()}
              >
                Remove area
              </Button>
            )}
          </div>
        )}
        {newer && (
          <div className={classes.newer} role="alert">
            <span>Someone else has changed this area.</span>
            <Button variant="default" size="compact-sm" onClick={() => take(newer, newer.points)}>
              Show theirs
            </Button>
            <Button variant="default" size="compact-sm" onClick={() => take(newer, null)}>
              Keep mine
            </Button>
          </div>
        )}
        <div className={classes.mapPlace}>
          <MapView drawing={drawing} step={step} view={view} start={stored.points} fixed={!mayDraw} />
          {refused && (
            <p className={classes.refused} role="alert">
              {refused}
            </p>
          )}
        </div>
      </div>
      <aside className={classes.panel} aria-label="About the area">
        {mayDraw && !shape.open && (
          <MakeArea campaignId={campaignId} form={making} setForm={setMaking} step={step} view={view} />
        )}
        {isEmpty ? (
          <EmptyArea
            mayDraw={mayDraw}
            place={() => view.current && step({ do: 'place', points: view.current.triangle() })}
          />
        ) : shape.open ? (
          <p className={text.quiet}>
            Click on the map for each corner. A click on the first one, Enter or Finish closes the polygon; Esc leaves
            it.
          </p>
        ) : (
          <>
            <PointList drawing={drawing} step={step} view={view} fixed={!mayDraw} />
            <AreaObjects points={shape.points} />
          </>
        )}
      </aside>
    </div>
  )
}

function EmptyArea({ mayDraw, place }: { mayDraw: boolean; place: () => void }) {
  return (
    <div className={classes.nothing}>
      <h2>There is no area yet.</h2>
      {mayDraw && (
        <>
          <p className={text.quiet}>
            Make it from the fields above, or draw it on the map with the polygon tool: one click for each corner, and
            one on the first corner to finish.
          </p>
          <p className={text.quiet}>Without a mouse, start with a triangle and move its points from the list.</p>
          <Button variant="default" onClick={place}>
            Place a triangle
          </Button>
        </>
      )}
    </div>
  )
}

const arePointsEqual = (a: readonly object[], b: readonly object[]) => JSON.stringify(a) === JSON.stringify(b)

/** Handles keys in the whole dialog, wherever the focus is; a focused button keeps its own Enter, a field all but Escape. */
function useEditorKeys(keys: Record<'onEscape' | 'onUndo' | 'onEnter', () => unknown>) {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      if (event.key === 'Escape') latest.current.onEscape()
      else if (event.target instanceof Element && isTypingTarget(event.target)) return
      else if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey)) latest.current.onUndo()
      else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) latest.current.onEnter()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
