import { Button } from '@mantine/core'
import { useAction } from '#ui/data/useAction.ts'
import { admins, handlers } from '../contract.ts'
import { useMe } from './current-user.ts'
import classes from './People.module.css'

type Props = {
  id: number
  call: typeof admins.move | typeof handlers.move
  label: string
  /** What they are now. */
  role: string
  /** What moving takes away or gives. */
  details: readonly string[]
  onMoved: () => void
}

/** Somebody's role, and the way to the other one. */
export function MoveRole({ id, call, label, role, details, onMoved }: Props) {
  const me = useMe()
  const { run, running } = useAction(call, { details, refreshes: [admins.list, handlers.list] })
  if (!call.allow(me)) return null
  async function move() {
    const outcome = await run({ params: { id } })
    if (outcome.done) onMoved()
  }
  return (
    <div className={classes.role}>
      <p>{role}</p>
      <Button variant="default" loading={running} onClick={() => void move()}>
        {label}
      </Button>
    </div>
  )
}
