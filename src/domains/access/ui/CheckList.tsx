import { useDeferredValue, useId, useState } from 'react'
import { foldSearch } from '#contract/fold-text.ts'
import { SkeletonLines } from '#ui/feedback/Skeleton.tsx'
import type { FieldBinding } from '#ui/form/field-binding.ts'
import styles from '#ui/theme/text.module.css'
import text from '#ui/theme/text.module.css'
import classes from './CheckList.module.css'

/** Ticked keys; an absent key is not ticked. */
export type SelectionMap = Record<string, boolean | 0 | 1>
export type CheckListEntry = { key: string; title: string; detail?: string | undefined; color?: string | undefined }
type CheckListProps = {
  label: string
  at: FieldBinding<SelectionMap>
  /** Undefined while loading. */
  entries: readonly CheckListEntry[] | undefined
  /** Why nothing can be changed here. */
  locked?: string | undefined
}

/** A list of checkboxes with a search field and a way to tick all. */
export function CheckList({ label, at, entries: read, locked }: CheckListProps) {
  const entries = read ?? []
  const id = useId()
  const [search, setSearch] = useState('')
  const words = foldSearch(useDeferredValue(search)).split(' ').filter(Boolean)
  const found = entries.filter(({ title, detail = '' }) => {
    const text = foldSearch(`${title} ${detail}`)
    return words.every((word) => text.includes(word))
  })
  const ticks = at.value ?? {}
  const isTicked = ({ key }: CheckListEntry) => Boolean(ticks[key])
  const count = entries.filter(isTicked).length
  const foundTicked = found.filter(isTicked).length
  const set = (some: readonly CheckListEntry[], on: boolean) => {
    const others = Object.keys(ticks).filter((key) => ticks[key] && !some.some((entry) => entry.key === key))
    const ticked = [...others, ...(on ? some.map(({ key }) => key) : [])]
    // Sorted, so that unticking and ticking again leaves the value unchanged.
    at.set(Object.fromEntries(ticked.toSorted().map((key) => [key, 1])))
  }
  const problem = at.error ?? Object.values(at.within)[0]

  return (
    <fieldset className={classes.list} aria-describedby={problem ? `${id}-error` : undefined}>
      <legend>
        {label}
        <span className={`${text.smaller} ${text.light} ${text.numbers}`}>
          {count} of {entries.length}
        </span>
      </legend>
      <input
        type="search"
        className={classes.search}
        aria-label={`Search in ${label}`}
        placeholder="Search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <div className={classes.box}>
        <CheckListLine
          label={words.length > 0 ? `Check all ${found.length} found` : 'Check all'}
          checked={found.length > 0 && foundTicked === found.length}
          isSome={foundTicked > 0 && foundTicked < found.length}
          disabled={locked !== undefined || found.length === 0}
          set={(on) => set(found, on)}
          isHead
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
        <ul className={classes.entries} tabIndex={0} aria-label={label}>
          {found.map((entry) => (
            <li key={entry.key}>
              <CheckListLine
                label={entry.title}
                detail={entry.detail}
                color={entry.color}
                checked={isTicked(entry)}
                disabled={locked !== undefined}
                set={(on) => set([entry], on)}
              />
            </li>
          ))}
          {!read && (
            <li className={classes.loading} aria-hidden="true">
              <SkeletonLines widths={loadingWidths} />
            </li>
          )}
          {read && found.length === 0 && (
            <li className={classes.none}>{entries.length === 0 ? 'List is empty' : 'Nothing found'}</li>
          )}
        </ul>
      </div>
      {locked && <p className={text.smaller}>{locked}</p>}
      {problem && (
        <p id={`${id}-error`} role="alert" className={classes.error}>
          {problem}
        </p>
      )}
    </fieldset>
  )
}

const loadingWidths = ['60%', '60%', '60%', '60%']

type CheckListLineProps = {
  label: string
  detail?: string | undefined
  color?: string | undefined
  checked: boolean
  isSome?: boolean
  isHead?: boolean
  disabled: boolean
  set: (on: boolean) => void
}

function CheckListLine({
  label,
  detail,
  color,
  checked,
  isSome = false,
  isHead = false,
  disabled,
  set,
}: CheckListLineProps) {
  return (
    <label className={classes.line} data-hover data-head={isHead || undefined}>
      <input
        type="checkbox"
        checked={checked}
        ref={(box) => {
          if (box) box.indeterminate = isSome
        }}
        disabled={disabled}
        onChange={(event) => set(event.currentTarget.checked)}
      />
      {color && <span className={classes.swatch} style={{ background: color }} aria-hidden="true" />}
      <span className={styles.breaking}>{label}</span>
      {detail && <span className={classes.detail}>{detail}</span>}
    </label>
  )
}
