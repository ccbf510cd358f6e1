import { Combobox, useCombobox } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './filters.module.css'
import type { FilterAt } from './useList.ts'

export type Choice<Value> = { value: Value; label: string /** A colour marker before it. */; color?: string }

type Known = string | number

/** One of many. Choosing the chosen one again clears it. */
export function SelectFilter<Value extends Known>(
  props: FilterAt<Value | undefined> & { label: string; choices: readonly Choice<Value>[] },
) {
  const { value, set, label, choices } = props
  const chosen = choices.find((choice) => choice.value === value)
  return (
    <Chooser
      label={label}
      says={value === undefined ? label : `${label}: ${chosen?.label ?? value}`}
      choices={choices}
      chosen={value === undefined ? [] : [value]}
      choose={(picked) => set(picked === value ? undefined : picked)}
      clear={() => set(undefined)}
      closes
    />
  )
}

/** Any of many, found by typing. The chip says how many are on. */
export function MultiSelectFilter<Value extends Known>(
  props: FilterAt<Value[] | undefined> & { label: string; choices: readonly Choice<Value>[] },
) {
  const { value = [], set, label, choices } = props
  const first = choices.find((choice) => choice.value === value[0])
  const says =
    value.length === 0
      ? label
      : value.length === 1
        ? `${label}: ${first?.label ?? value[0]}`
        : `${label}: ${value.length}`
  return (
    <Chooser
      label={label}
      says={says}
      choices={choices}
      chosen={value}
      choose={(picked) => {
        const next = value.includes(picked) ? value.filter((other) => other !== picked) : [...value, picked]
        set(next.length > 0 ? next : undefined, value.length > 0)
      }}
      clear={() => set(undefined)}
    />
  )
}

/** More than these are found by typing. */
const mostShown = 200

type ChooserProps<Value> = {
  label: string
  says: string
  choices: readonly Choice<Value>[]
  chosen: readonly Value[]
  choose: (value: Value) => void
  clear: () => void
  closes?: boolean
}

function Chooser<Value extends Known>({ label, says, choices, chosen, choose, clear, closes }: ChooserProps<Value>) {
  const [typed, setTyped] = useState('')
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setTyped('')
    },
  })
  const sought = typed.trim().toLowerCase()
  const found = choices.filter((choice) => choice.label.toLowerCase().includes(sought))

  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width={260}
      onOptionSubmit={(text) => {
        const picked = choices.find((choice) => String(choice.value) === text)
        if (picked) choose(picked.value)
        if (closes) combobox.closeDropdown()
      }}
    >
      <Combobox.Target targetType="button">
        <button
          type="button"
          className={classes.chip}
          data-on={chosen.length > 0 || undefined}
          onClick={() => combobox.toggleDropdown()}
        >
          <span className={classes.says}>{says}</span>
          <IconChevronDown size={14} aria-hidden="true" />
        </button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <div role="dialog" aria-label={label}>
          <Combobox.Search
            role="combobox"
            aria-expanded={combobox.dropdownOpened}
            aria-controls={combobox.listId ?? undefined}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            placeholder="Type to find"
            aria-label={`Find in ${label}`}
          />
          <Combobox.Options
            className={classes.options}
            aria-label={label}
            aria-multiselectable={closes ? undefined : true}
          >
            {found.slice(0, mostShown).map((choice) => (
              <Combobox.Option
                key={choice.value}
                value={String(choice.value)}
                aria-selected={chosen.includes(choice.value)}
              >
                <IconCheck
                  size={14}
                  aria-hidden="true"
                  className={classes.tick}
                  data-on={chosen.includes(choice.value) || undefined}
                />
                {choice.color && <span className={classes.dot} style={{ background: choice.color }} />}
                {choice.label}
              </Combobox.Option>
            ))}
            {found.length === 0 && <Combobox.Empty>Nothing found</Combobox.Empty>}
            {found.length > mostShown && <Combobox.Empty>{found.length - mostShown} more: type to find</Combobox.Empty>}
          </Combobox.Options>
          {chosen.length > 0 && (
            <Combobox.Footer>
              <button type="button" className={classes.plain} onClick={clear}>
                Clear
              </button>
            </Combobox.Footer>
          )}
        </div>
      </Combobox.Dropdown>
    </Combobox>
  )
}
