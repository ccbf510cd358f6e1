import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { z } from 'zod'
import type { FindSearch } from '#ui/data/find-search.ts'
import { recentResultsKey } from '#ui/data/session-token.ts'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import text from '#ui/theme/text.module.css'
import classes from './FindDialog.module.css'
import { type FindResult, getResultKey, useFindResults } from './useFindResults.ts'

type FindDialogProps = { searches: readonly FindSearch[]; onClose: () => void }

/** The Find dialog. With nothing typed it offers the last visited places, then every screen. */
export function FindDialog({ searches, onClose }: FindDialogProps) {
  const id = useId()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const words = useDebouncedText(typed)
  const [chosen, setChosen] = useState(0)
  const { places, searching, error } = useFindResults(words, searches)
  const list = useRef<HTMLDivElement>(null)
  const offered = words.trim() === '' ? uniqueResults([...readRecentResults(), ...places]) : uniqueResults(places)
  const current = Math.min(chosen, offered.length - 1)
  const isTyping = words !== typed
  const [isEntered, setEntered] = useState(false)
  useEffect(() => {
    list.current?.querySelector(`[data-place="${current}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [current])

  // Enter may come before the results of the last letters.
  useEffect(() => {
    if (!isEntered || isTyping || searching) return
    setEntered(false)
    go(offered[current])
  })

  function go(place: FindResult | undefined) {
    if (!place) return
    saveRecentResult(place)
    onClose()
    void navigate({ to: place.to, search: place.search })
  }
  function press(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setChosen((current + step + offered.length) % Math.max(1, offered.length))
    else if (event.key !== 'Enter') return
    else if (isTyping || (searching && chosen === 0)) setEntered(true)
    else go(offered[current])
    event.preventDefault()
  }

  return (
    <ModalDialog opened onClose={onClose} title="Find" size="lg" yOffset="12vh">
      <input
        type="text"
        role="combobox"
        className={classes.input}
        aria-label="Find a screen, campaign, client, lead or site"
        aria-expanded={offered.length > 0}
        aria-controls={`${id}-places`}
        aria-activedescendant={offered[current] ? `${id}-${current}` : undefined}
        aria-autocomplete="list"
        placeholder="A screen, campaign, client, site, listing, or a lead’s name, phone, email or number"
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setChosen(0)
          setEntered(false)
        }}
        onKeyDown={press}
      />
      <div ref={list} id={`${id}-places`} role="listbox" aria-label="Found" className={classes.places}>
        {offered.map((place, index) => (
          // The keys are the input's: it keeps the focus.
          // biome-ignore lint/a11y/useFocusableInteractive: standard for a combobox
          // biome-ignore lint/a11y/useKeyWithClickEvents: standard for a combobox
          <div
            key={getResultKey(place)}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            data-place={index}
            className={classes.place}
            data-hover
            onMouseMove={() => index !== current && setChosen(index)}
            onClick={() => go(place)}
          >
            <span className={text.clipped}>{place.label}</span>
            {place.detail && <span className={classes.detail}>{place.detail}</span>}
            <span className={classes.kind}>{place.kind}</span>
          </div>
        ))}
      </div>
      <p className={`${text.quiet} ${classes.none}`} role="status">
        {error && !searching && `Not everything could be searched: ${error.message}`}
        {!error && offered.length === 0 && (searching || isTyping ? 'Searching…' : 'Nothing found')}
      </p>
    </ModalDialog>
  )
}

/** Returns the text once typing pauses. */
function useDebouncedText(typed: string): string {
  const [words, setWords] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setWords(typed), 180)
    return () => clearTimeout(timer)
  }, [typed])
  return words
}

const uniqueResults = (places: readonly FindResult[]) => [
  ...new Map(places.map((place) => [getResultKey(place), place])).values(),
]

// ——— last visited places, kept in this browser ———

const recentResultsSchema = z.array(
  z.object({
    kind: z.string(),
    label: z.string(),
    detail: z.string().optional(),
    to: z.string(),
    search: z.record(z.string(), z.string()),
  }),
)

function readRecentResults(): FindResult[] {
  try {
    return recentResultsSchema.parse(JSON.parse(localStorage.getItem(recentResultsKey) ?? '[]'))
  } catch {
    return []
  }
}

/** Skips screens, which are always offered. */
function saveRecentResult(place: FindResult) {
  if (place.kind === 'Screen') return
  localStorage.setItem(recentResultsKey, JSON.stringify(uniqueResults([place, ...readRecentResults()]).slice(0, 6)))
}
