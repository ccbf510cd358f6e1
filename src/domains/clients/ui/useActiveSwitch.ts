import { useAction } from '#ui/data/useAction.ts'
import { type Client, clientsContract } from '../contract.ts'

type SwitchedClient = Pick<Client, 'id' | 'user'>
/** Shows the change at once; returns a function that takes it back. */
type PatchClient = (id: number, change: Pick<Client, 'user'>) => () => void

export const changeDeniedMessage = 'Only users who have all campaigns of this client may change it'

/**
 * Switches an account on or off: optimistic, rolled back on failure. Only on has an undo: off deletes the sign-in link, which on
 * does not bring back.
 */
export function useActiveSwitch(patch: PatchClient) {
  const off = useAction(clientsContract.status)
  const back = useAction(clientsContract.status, { quiet: true })
  const on = useAction(clientsContract.status, {
    undo: ({ body }) => void back.run({ body: { id: body.id, is_active: 0 } }),
  })
  return async ({ id, user }: SwitchedClient, isOn: boolean) => {
    if (!user) return
    const is_active = isOn ? 1 : 0
    const takeBack = patch(id, { user: { ...user, is_active } })
    const outcome = await (isOn ? on : off).run({ body: { id, is_active } })
    if (!outcome.done) takeBack()
  }
}
