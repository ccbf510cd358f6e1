import { Select } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '#ui/data/useApi.ts'
import { importsContract } from '../contract.ts'

type NameSelectProps = {
  id: number
  field: string
  label: string
  /** The file's word: names like it come first. */
  word: string
  value: string
  choose: (name: string) => void
}

/** One of the existing names, found by typing. Enter chooses, and never submits the form around it. */
export default function NameSelect({ id, field, label, word, value, choose }: NameSelectProps) {
  const [typed, setTyped] = useState(value)
  const [isNear, setNear] = useState(false)
  const search = typed === value ? word : typed
  const { data } = useApi(
    importsContract.names,
    { params: { id }, query: { field, search: search.slice(0, 200) } },
    { quiet: true, enabled: isNear },
  )
  const names = data?.names ?? []
  const shown = value === '' || names.includes(value) ? names : [value, ...names]
  return (
    <Select
      aria-label={label}
      data={shown}
      filter={({ options }) => options}
      value={value === '' ? null : value}
      onChange={(name) => choose(name ?? '')}
      searchValue={typed}
      onSearchChange={setTyped}
      onFocus={() => setNear(true)}
      onBlur={() => {
        const meant = names.find((name) => name.toLowerCase() === typed.trim().toLowerCase())
        if (meant !== undefined && meant !== value) choose(meant)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        // Names that have just come are not marked yet.
        const isMarked = event.currentTarget.hasAttribute('aria-activedescendant')
        const [nearest] = names
        if (!isMarked && nearest !== undefined && typed.trim() !== '' && typed !== value) choose(nearest)
      }}
      searchable
      clearable
      placeholder={word === '' ? 'Choose' : 'As it stands'}
      nothingFoundMessage={data ? 'Nothing found' : 'Loading…'}
      w="min(260px, 100%)"
      size="xs"
    />
  )
}
