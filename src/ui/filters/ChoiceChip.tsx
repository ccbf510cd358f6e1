import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import classes from './filters.module.css'

/** `printed` replaces `says` on paper, where a number of choices cannot be looked up. */
type ChoiceChipProps = ComponentProps<'button'> & { text: string; printed?: string | undefined; isSet: boolean }

/** A filter as a button that shows the chosen value. */
export function ChoiceChip({ text, printed, isSet, className = '', ...button }: ChoiceChipProps) {
  return (
    <button
      type="button"
      {...button}
      className={`${classes.chip} ${className}`}
      data-hover
      data-on={isSet || undefined}
    >
      <span className={classes.text} data-printed={printed}>
        {text}
      </span>
      <IconChevronDown size={14} aria-hidden="true" />
    </button>
  )
}
