import { Button } from '@mantine/core'
import type { ComponentType, MouseEvent } from 'react'
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts'
import type { CallArgs } from '../data/api.ts'
import { usePerson } from '../data/person.ts'
import { useAction } from '../data/useAction.ts'
import classes from './IconButton.module.css'

type ActionButtonProps<E extends Endpoint> = {
  call: E
  input: CallArgs<E>[0]
  label: string
  /** Shown instead of the label, which becomes its accessible name and tooltip. */
  icon?: Icon
  color?: string
  variant?: 'default' | 'filled' | 'subtle'
  /** Replaces the endpoint's own success message. */
  success?: (answer: ResponseOf<E>) => string
  onDone?: () => void
  /** Lines below the question: what goes, and what goes with it. */
  details?: readonly string[]
}

/** A button that makes one call; not shown to users who may not make it. */
export function ActionButton<E extends Endpoint>({
  call,
  input,
  label,
  icon,
  onDone,
  success,
  details,
  ...look
}: ActionButtonProps<E>) {
  const me = usePerson().subject
  const { run, running } = useAction(call, { details, ...(success && { success }) })
  if (!call.allow(me)) return null
  async function act() {
    // One argument, or none where the endpoint needs none.
    const outcome = await run(...([input] as CallArgs<E>))
    if (outcome.done) onDone?.()
  }
  return icon ? (
    <IconButton label={label} icon={icon} onClick={() => void act()} loading={running} />
  ) : (
    <Button variant="default" {...look} onClick={() => void act()} loading={running}>
      {label}
    </Button>
  )
}

type Icon = ComponentType<{ size?: number; 'aria-hidden'?: 'true' }>
type IconButtonProps = {
  label: string
  icon: Icon
  /** Pixels. */
  iconSize?: number
  onClick: (event: MouseEvent) => void
  disabled?: boolean
  /** Shows a spinner and ignores clicks, but keeps the focus. */
  loading?: boolean
  title?: string
}

/** An icon button with an accessible name: native, because a table has hundreds of them. */
export function IconButton(props: IconButtonProps) {
  const { label, icon: Icon, iconSize = 16, onClick, disabled, loading = false, title = label } = props
  return (
    <button
      type="button"
      className={classes.button}
      data-unprinted
      aria-label={label}
      title={title}
      aria-busy={loading || undefined}
      aria-disabled={loading || undefined}
      disabled={disabled}
      onClick={(event) => loading || onClick(event)}
    >
      <Icon size={iconSize} aria-hidden="true" />
    </button>
  )
}
