import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import classes from './CardHead.module.css'

type CardHeadProps = {
  name: ReactNode
  isOpen: boolean
  /** Left out where there is no more than what is shown. */
  setOpen?: ((isOpen: boolean) => void) | undefined
  /** Stands before the name. */
  children?: ReactNode
}

/** What a card is called, and what shows the rest of it. */
export function CardHead({ name, isOpen, setOpen, children }: CardHeadProps) {
  const id = useId()
  const Icon = isOpen ? IconChevronUp : IconChevronDown
  return (
    <div className={classes.head}>
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
