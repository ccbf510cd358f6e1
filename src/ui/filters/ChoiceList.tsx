import { Combobox, useCombobox } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { ChoiceChip } from './ChoiceChip.tsx'
import { ChoiceLabel } from './ChoiceLabel.tsx'
import classes from './filters.module.css'
import { type ChoicePickerProps, type ChoiceValue, isChoiceMatch } from './select-choice.ts'

/** Further choices are found by typing. */
const maxShownChoices = 200

/** Focuses the input as soon as it is mounted, without scrolling the page: it is not positioned yet. */
const focusInput = (input: HTMLInputElement | null) => input?.focus({ preventScroll: true })

/** The chip with its list open below: choices are found by typing, and checked when chosen. */
export default function ChoiceList<Value extends ChoiceValue>({
  label,
  text,
  printed,
  choices,
  chosen,
  choose,
  clear,
  closes,
}: ChoicePickerProps<Value>) {
  const [typed, setTyped] = useState('')
  const listId = useId()
  const dialog = useRef<HTMLDivElement>(null)
  const combobox = useCombobox({
    defaultOpened: true,
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setTyped('')
      // Not when focus has moved elsewhere. After Escape it is still in the list, which is about to go.
      setTimeout(() => {
        const focused = document.activeElement
        if (focused === document.body || dialog.current?.contains(focused)) combobox.focusTarget()
      })
    },
  })
  const found = (choices ?? []).filter((choice) => isChoiceMatch(choice, typed))
  // Enter takes the first match, which is marked.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the methods of the store are stable, the store is not.
  useEffect(() => {
    if (typed !== '') combobox.selectFirstOption()
  }, [typed, choices])

  /** Makes Tab continue from the chip: the list itself is at the end of the page. */
  function leave(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== 'Tab') return
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')]
    if (event.target !== stops.at(event.shiftKey ? 0 : -1)) return
    combobox.targetRef.current?.focus()
    combobox.closeDropdown()
  }

  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width={260}
      onOptionSubmit={(text) => {
        const picked = choices?.find((choice) => String(choice.value) === text)
        if (picked) choose(picked.value)
        if (closes) combobox.closeDropdown()
      }}
    >
      <Combobox.Target targetType="button">
        <ChoiceChip text={text} printed={printed} isSet={chosen.length > 0} onClick={() => combobox.toggleDropdown()} />
      </Combobox.Target>
      <Combobox.Dropdown>
        <div ref={dialog} role="dialog" aria-label={label} onKeyDown={leave}>
          <Combobox.Search
            role="combobox"
            aria-expanded={combobox.dropdownOpened}
            aria-controls={listId}
            ref={focusInput}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            placeholder="Type to find"
            aria-label={`Find in ${label}`}
          />
          <Combobox.Options
            id={listId}
            className={classes.options}
            aria-label={label}
            aria-multiselectable={closes ? undefined : true}
          >
            {found.slice(0, maxShownChoices).map((choice) => (
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
                <ChoiceLabel choice={choice} />
              </Combobox.Option>
            ))}
            {found.length === 0 && <Combobox.Empty>{choices ? 'Nothing found' : 'Loading…'}</Combobox.Empty>}
            {found.length > maxShownChoices && (
              <Combobox.Empty>{found.length - maxShownChoices} more: type to find</Combobox.Empty>
            )}
          </Combobox.Options>
          {chosen.length > 0 && (
            <Combobox.Footer>
              <button type="button" className={classes.plain} data-hover onClick={clear}>
                Clear
              </button>
            </Combobox.Footer>
          )}
        </div>
      </Combobox.Dropdown>
    </Combobox>
  )
}
