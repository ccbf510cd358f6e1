import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import arrange from '#ui/layout/arrange.module.css'
import classes from './CardHead.module.css'

type CardHeadProps = {
  name: ReactNode
  isOpen: boolean
  /** Left out where there are no further details. */
  setOpen?: ((isOpen: boolean) => void) | undefined
  /** Shown before the name. */
  children?: ReactNode
}

/** The name of a card, and the button that shows its details. */
export function CardHead({ name, isOpen, setOpen, children }: CardHeadProps) {
  const id = useId()
  const Icon = isOpen ? IconChevronUp : IconChevronDown
  return (
    <div className={arrange.line}>
      {children}
      <div id={`${id}name`} className={classes.name}>
        {name}
      </div>
      {setOpen && (
        <button
          type="button"
          id={`${id}more`}
          className={classes.more}
          aria-expanded={isOpen}
          aria-labelledby={`${id}more ${id}name`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Less' : 'More'}
          <Icon size={14} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}
