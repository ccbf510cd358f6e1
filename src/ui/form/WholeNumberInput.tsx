import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { readSureNumber } from '#contract/read-number.ts'

type WholeNumberInputProps = Pick<TextInputProps, 'label' | 'name' | 'labelProps' | 'error'> & {
  value: number | null | undefined
  set: (value: number | null) => void
}

/**
 * An input for a whole number or nothing. On blur the text is cut to its integer. Text that is not a number, or may be two as `1.500`,
 * becomes empty and its value NaN, which every schema refuses, until the field is focused again.
 */
export function WholeNumberInput({ value, set, error, ...rest }: WholeNumberInputProps) {
  const [typed, setTyped] = useState(formatTypedNumber(value))
  const [wasNone, setWasNone] = useState(false)
  const [seen, setSeen] = useState(value)
  if (!Object.is(seen, value)) {
    setSeen(value)
    // Changed from outside, such as by merging a newer value.
    if (!Number.isNaN(value) && !Object.is(parseTypedNumber(typed), value ?? null)) {
      setTyped(formatTypedNumber(value))
      setWasNone(false)
    }
  }

  return (
    <TextInput
      {...rest}
      error={error ?? (wasNone ? 'Input a number' : undefined)}
      inputMode="numeric"
      autoComplete="off"
      value={typed}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        setWasNone(false)
        set(parseTypedNumber(text))
      }}
      onBlur={() => {
        const number = parseTypedNumber(typed)
        setTyped(formatTypedNumber(number))
        if (Number.isNaN(number)) setWasNone(true)
      }}
      onFocus={() => {
        if (typed === '' && Number.isNaN(value)) set(null)
      }}
    />
  )
}

/** Reads `12.9 leads` and `1,200`; null for empty text, NaN for text that is not surely a number. */
function parseTypedNumber(text: string): number | null {
  if (text.trim() === '') return null
  return Math.trunc(readSureNumber(text.trim().replace(/\s\p{L}.*$/u, '')) ?? Number.NaN)
}
const formatTypedNumber = (value: number | null | undefined) =>
  value === null || value === undefined || Number.isNaN(value) ? '' : String(value)
