import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { formatBriefMoney } from '#contract/money.ts'
import { readTypedAmount, typedAmountProblem } from '#contract/read-number.ts'

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
    if (!Number.isNaN(value) && !Object.is(readTypedAmount(typed), value ?? null)) setTyped(formatDollars(value))
  }
  const isUnread = isLeft && Number.isNaN(readTypedAmount(typed))
  return (
    <TextInput
      {...rest}
      error={isUnread ? typedAmountProblem : error}
      inputMode="decimal"
      autoComplete="off"
      value={typed}
      onFocus={() => setLeft(false)}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        set(readTypedAmount(text))
      }}
      onBlur={() => {
        setLeft(true)
        const amount = readTypedAmount(typed)
        if (!Number.isNaN(amount)) setTyped(formatDollars(amount))
      }}
    />
  )
}

const formatDollars = (value: number | null | undefined) =>
  value === null || value === undefined || Number.isNaN(value) ? '' : formatBriefMoney(value)
