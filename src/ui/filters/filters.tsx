import { IconChevronDown, IconChevronUp, IconFilter, IconSearch, IconX } from '@tabler/icons-react'
import { Children, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'
import type { FilterDefinition, FilterDefinitions, FilterQuery } from '#contract/filter-definitions.ts'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import buttons from '../layout/buttons.module.css'
import { findOpenDialog, isKeyTaken } from '../layout/shortcuts.ts'
import type { FilterBinding } from '../table/useList.ts'
import { MultiSelectFilter, SelectFilter } from './ChoiceFilter.tsx'
import classes from './filters.module.css'
import field from './SearchField.module.css'
import type { SelectChoice } from './select-choice.ts'

/** Renders the control of a filter: what a ListScreen declares, `ip: searchFilter('IP')`. */
export type FilterControl<Value> = (at: FilterBinding<Value>) => ReactNode

export const searchFilter =
  (label: string): FilterControl<string | undefined> =>
  (at) => <SearchFilter label={label} {...at} />
const selectFilter =
  <Value extends string | number>(
    label: string,
    choices: readonly SelectChoice<Value>[],
  ): FilterControl<Value | undefined> =>
  (at) => <SelectFilter label={label} choices={choices} {...at} />
const multiSelectFilter =
  <Value extends string | number>(
    label: string,
    choices: readonly SelectChoice<Value>[],
  ): FilterControl<Value[] | undefined> =>
  (at) => <MultiSelectFilter label={label} choices={choices} {...at} />
const checkFilter =
  (label: string): FilterControl<1 | undefined> =>
  (at) => <CheckFilter label={label} {...at} />

type FilterControls<Filters> = { [Name in keyof Filters]: FilterControl<FilterQuery<Filters>[Name]> }
type FilterChoices<Value> =
  NonNullable<Value> extends readonly (infer One extends string | number)[]
    ? readonly SelectChoice<One>[]
    : NonNullable<Value> extends string | number
      ? readonly SelectChoice<NonNullable<Value>>[]
      : never
type GivenControls<Filters> = {
  [Name in keyof Filters]?: FilterControls<Filters>[Name] | FilterChoices<FilterQuery<Filters>[Name]>
}
type DrawnFilter<Filters> = {
  [Name in keyof Filters]: Filters[Name] extends { kind: 'search' | 'choice' | 'check' } ? Name : never
}[keyof Filters]

/**
 * Builds the controls of a list's filters. One of ids, or of what only the screen knows, gets its choices in `given`, or a control of its
 * own; without them it has no control.
 */
export function buildFilterControls<Filters extends FilterDefinitions, Given extends GivenControls<Filters>>(
  filters: Filters,
  given?: Given,
): Pick<FilterControls<Filters>, DrawnFilter<Filters> | (keyof Given & keyof Filters)> {
  const each: { [name: string]: unknown } = { ...given }
  const controls = Object.entries(filters).map(([name, filter]) => [name, createFilterControl(filter, each[name])])
  return Object.fromEntries(controls) // a filter's kind says what its control holds
}

function createFilterControl({ kind, label = '', choices }: FilterDefinition, given: unknown) {
  if (typeof given === 'function') return given
  const offered = (given ?? choices) as readonly SelectChoice<string | number>[] | undefined // by the types above
  if (kind === 'search') return searchFilter(label)
  if (kind === 'check') return checkFilter(label)
  return offered && (kind === 'anyOf' ? multiSelectFilter(label, offered) : selectFilter(label, offered))
}

/** A filter that only a link can set; shown while it is set. */
export const linkedFilter =
  (label: string): FilterControl<string | undefined> =>
  (at) => <LinkedFilter label={label} {...at} />

type ResettableList = { changed?: boolean; setCount?: number; reset?: () => void }

/** The row of filters. On a phone several are behind one button. Reset is shown only when there is something to reset. */
export function FilterBar({ list, children }: { list: ResettableList; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const isFolding = Children.toArray(children).length > 1
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a wrapping row in every browser.
    <div
      className={`${arrange.row} ${classes.bar}`}
      role="group"
      aria-label="Filters"
      data-folded={(isFolding && !isOpen) || undefined}
    >
      {isFolding && (
        <button
          type="button"
          className={`${classes.chip} ${classes.opener}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <IconFilter size={14} aria-hidden="true" />
          {list.setCount ? `Filters (${list.setCount})` : 'Filters'}
        </button>
      )}
      {children}
      {list.changed && (
        <button type="button" className={classes.plain} data-hover onClick={list.reset}>
          Reset
        </button>
      )}
    </div>
  )
}

/** Less used filters in a panel. While it is closed, those that are set show as chips. */
export function MoreFilters({ chips, children }: { chips: readonly ReactElement[]; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const Icon = open ? IconChevronUp : IconChevronDown
  return (
    <>
      <button type="button" className={classes.plain} data-hover aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Less' : chips.length > 0 ? `More (${chips.length})` : 'More'}
        <Icon size={14} aria-hidden="true" />
      </button>
      {open ? <div className={classes.more}>{children}</div> : chips}
    </>
  )
}

/** A set filter, with a click to clear it. */
export function FilterChip({ text, clear }: { text: string; clear: () => void }) {
  return (
    <button type="button" className={classes.chip} data-hover data-on aria-label={`Clear ${text}`} onClick={clear}>
      {text}
      <IconX size={14} aria-hidden="true" />
    </button>
  )
}

const searchDebounceMs = 300

/** Focuses an input on `/`: the first one of the page that asks for it. */
function useSlashKey() {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || isKeyTaken(event) || findOpenDialog()) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return input
}

/** Filters by free text, trimmed, applied when typing pauses or with Enter. */
export function SearchFilter({ label, name, value, set }: FilterBinding<string | undefined> & { label: string }) {
  const committed = value ?? ''
  const [text, setText] = useState(committed)
  const sent = useRef(committed)
  const timer = useRef<number>(undefined)
  const input = useSlashKey()

  // Back, a link or Reset may change the value from outside.
  useEffect(() => {
    if (committed === sent.current) return
    window.clearTimeout(timer.current) // what was typed before must not come back
    sent.current = committed
    setText(committed)
  }, [committed])
  useEffect(() => () => window.clearTimeout(timer.current), [])

  function send(typed: string) {
    window.clearTimeout(timer.current)
    const next = typed.trim()
    if (next === sent.current) return
    // Continued typing is one step in the browser's history, not one per pause.
    const goesOn = sent.current !== '' && next !== ''
    sent.current = next
    set(next === '' ? undefined : next, goesOn)
  }

  return (
    <label
      className={`${classes.search} ${field.field}`}
      data-ring
      data-on={committed !== '' || undefined}
      data-label={label}
    >
      <IconSearch size={14} aria-hidden="true" />
      <input
        ref={input}
        type="search"
        name={name}
        aria-label={label}
        placeholder={label}
        value={text}
        // Wide enough for its placeholder.
        size={label.length}
        maxLength={500}
        autoComplete="off"
        onChange={(event) => {
          const typed = event.currentTarget.value
          setText(typed)
          window.clearTimeout(timer.current)
          timer.current = window.setTimeout(() => send(typed), searchDebounceMs)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(event.currentTarget.value)
        }}
      />
    </label>
  )
}

function LinkedFilter({ label, name, value, set }: FilterBinding<string | undefined> & { label: string }) {
  if (value === undefined) return null
  return (
    <label className={`${classes.search} ${field.field}`} data-ring data-on>
      <span>{label}:</span>
      <input type="text" name={name} aria-label={label} value={value} size={value.length} readOnly />
      <button
        type="button"
        className={`${buttons.square} ${classes.clear}`}
        data-hover
        data-unprinted
        aria-label={`Clear ${label}`}
        onClick={() => set(undefined)}
      >
        <IconX size={14} aria-hidden="true" />
      </button>
    </label>
  )
}

/** The number of rows that a choice would leave. */
type FilterBadge = number | string | undefined

function BadgeCount({ badge }: { badge: FilterBadge }) {
  if (badge === undefined) return null
  return <span className={classes.count}>{typeof badge === 'number' ? badge.toLocaleString('en-US') : badge}</span>
}

/** A checkbox filter: 1 or not set. */
export function CheckFilter({
  label,
  name,
  value,
  set,
  badge,
}: FilterBinding<1 | undefined> & { label: string; badge?: FilterBadge }) {
  return (
    <label className={classes.chip} data-ring data-hover data-on={value === 1 || undefined}>
      <input
        type="checkbox"
        className={text.unseenInput}
        name={name}
        checked={value === 1}
        onChange={(event) => set(event.currentTarget.checked ? 1 : undefined)}
      />
      {label}
      <BadgeCount badge={badge} />
    </label>
  )
}

/** Filters of one kind, in the panel of less used ones. */
export function FilterGroup({ label, isSet, children }: { label: string; isSet?: boolean; children: ReactNode }) {
  return (
    <fieldset className={classes.group} data-set={isSet || undefined}>
      <legend>{label}</legend>
      <div className={arrange.chips}>{children}</div>
    </fieldset>
  )
}

type RadioChoice<Value> = { value: Value; label: string; badge?: FilterBadge }

/** Filters by one of a few choices, with 'All' first. */
export function RadioFilter<Value extends string>(
  props: FilterBinding<Value | undefined> & { label: string; choices: readonly RadioChoice<Value>[] },
) {
  const { label, name, value, set, choices } = props
  return (
    <FilterGroup label={label} isSet={value !== undefined}>
      {[{ value: undefined, label: 'All' }, ...choices].map((choice) => (
        <label
          key={choice.label}
          className={classes.chip}
          data-ring
          data-hover
          data-on={value === choice.value || undefined}
        >
          <input
            type="radio"
            className={text.unseenInput}
            name={name}
            checked={value === choice.value}
            onChange={() => set(choice.value)}
          />
          {choice.label}
          <BadgeCount badge={'badge' in choice ? choice.badge : undefined} />
        </label>
      ))}
    </FilterGroup>
  )
}
