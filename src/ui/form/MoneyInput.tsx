import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { formatBriefMoney } from '#contract/money.ts'
import { readSureNumber } from '#contract/read-number.ts'

type MoneyInputProps = Pick<TextInputProps, 'label' | 'name' | 'labelProps' | 'error'> & {
  value: number | null | undefined
  set: (value: number | null) => void
}

/**
 * An input for an amount of dollars or nothing, in any form that has one meaning: `1500,50`, `$1,500.50`. What has none, or two as
 * `1.500` has, keeps its text, and its value is NaN, which every schema refuses.
 */
export function MoneyInput({ value, set, error, ...rest }: MoneyInputProps) {
  const [typed, setTyped] = useState(formatDollars(value))
  const [seen, setSeen] = useState(value)
  const [isLeft, setLeft] = useState(true)
  if (!Object.is(seen, value)) {
    setSeen(value)
    // Changed from outside, such as by merging a newer value.
    if (!Number.isNaN(value) && !Object.is(parseDollars(typed), value ?? null)) setTyped(formatDollars(value))
  }
  const isUnread = isLeft && Number.isNaN(parseDollars(typed))
  return (
    <TextInput
      {...rest}
      error={isUnread ? 'Not an amount, such as $1,500 or $62.50' : error}
      inputMode="decimal"
      autoComplete="off"
      value={typed}
      onFocus={() => setLeft(false)}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        set(parseDollars(text))
      }}
      onBlur={() => {
        setLeft(true)
        const amount = parseDollars(typed)
        if (!Number.isNaN(amount)) setTyped(formatDollars(amount))
      }}
    />
  )
}

/** Returns null for empty text, NaN for text without one meaning. */
const parseDollars = (text: string): number | null => (text.trim() === '' ? null : (readSureNumber(text) ?? Number.NaN))

const formatDollars = (value: number | null | undefined) =>
  value === null || value === undefined || Number.isNaN(value) ? '' : formatBriefMoney(value)
