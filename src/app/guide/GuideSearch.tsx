import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import field from '#ui/filters/SearchField.module.css'
import classes from './UserGuide.module.css'

type GuideSearchProps = { value: string; set: (value: string, replacesHistory: boolean) => void; choose: () => void }

/** Searches on every keystroke, without the server. Esc clears the field, Enter opens the best page. */
export function GuideSearch({ value, set, choose }: GuideSearchProps) {
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  const input = useRef<HTMLInputElement>(null)
  // Back or a link changed the search.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setTyped(value)
  }, [value])

  function type(next: string) {
    setTyped(next)
    const words = next.trim()
    // Continued typing is one step in the browser's history.
    if (words !== sent.current) set(words, sent.current !== '' && words !== '')
    sent.current = words
  }
  return (
    <search className={`${classes.search} ${field.field}`}>
      <IconSearch size={14} aria-hidden="true" />
      <input
        ref={input}
        type="text"
        aria-label="Search the guide"
        placeholder="Search the guide"
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') choose()
          if (event.key === 'Escape' && typed !== '') {
            event.preventDefault()
            type('')
          }
        }}
      />
      {typed !== '' && (
        <button
          type="button"
          aria-label="Clear the search"
          onClick={() => {
            type('')
            input.current?.focus()
          }}
        >
          <IconX size={14} aria-hidden="true" />
        </button>
      )}
    </search>
  )
}
