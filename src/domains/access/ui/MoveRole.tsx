import { Button } from '@mantine/core'
import { useAction } from '#ui/data/useAction.ts'
import text from '#ui/theme/text.module.css'
import type { adminsContract, leadsHandlersContract } from '../contract.ts'
import { useCurrentUser } from './current-user.ts'
import classes from './People.module.css'

type MoveRoleProps = {
  id: number
  call: typeof adminsContract.move | typeof leadsHandlersContract.move
  label: string
  /** The current role. */
  role: string
  /** What the move takes away or grants. */
  details: readonly string[]
  onMoved: () => void
}

/** Shows a person's role, with a button to move them to the other one. */
export function MoveRoleSection({ id, call, label, role, details, onMoved }: MoveRoleProps) {
  const me = useCurrentUser()
  const { run, running } = useAction(call, { details })
  if (!call.allow(me)) return null
  async function move() {
    const outcome = await run({ params: { id } })
    if (outcome.done) onMoved()
  }
  return (
    <div className={classes.role}>
      <p className={text.quiet}>{role}</p>
      <Button variant="default" loading={running} onClick={() => void move()}>
        {label}
      </Button>
    </div>
  )
}
