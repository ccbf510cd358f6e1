import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import classes from './filters.module.css'

type ChoiceChipProps = ComponentProps<'button'> & { says: string; isSet: boolean }

/** A filter as a button that shows the chosen value. */
export function ChoiceChip({ says, isSet, className = '', ...button }: ChoiceChipProps) {
  return (
    <button type="button" {...button} className={`${classes.chip} ${className}`} data-on={isSet || undefined}>
      <span className={classes.says}>{says}</span>
      <IconChevronDown size={14} aria-hidden="true" />
    </button>
  )
}
