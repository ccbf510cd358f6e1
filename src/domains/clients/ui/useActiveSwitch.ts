import { useAction } from '#ui/data/useAction.ts'
import { type Client, clientsContract } from '../contract.ts'

type SwitchedClient = Pick<Client, 'id' | 'user'>
/** Shows the change at once; returns a function that takes it back. */
type PatchClient = (id: number, change: Pick<Client, 'user'>) => () => void

export const changeDeniedMessage = 'Only users who have all campaigns of this client may change it'

/** Switches an account on or off: optimistic, rolled back on failure, and with an undo. */
export function useActiveSwitch(patch: PatchClient) {
  const status = useAction(clientsContract.status, { quiet: true })
  const said = useAction(clientsContract.status, {
    undo: ({ body }) => void status.run({ body: { id: body.id, is_active: body.is_active ? 0 : 1 } }),
  })
  return async ({ id, user }: SwitchedClient, on: boolean) => {
    if (!user) return
    const takeBack = patch(id, { user: { ...user, is_active: on ? 1 : 0 } })
    const outcome = await said.run({ body: { id, is_active: on ? 1 : 0 } })
    if (!outcome.done) takeBack()
  }
}
