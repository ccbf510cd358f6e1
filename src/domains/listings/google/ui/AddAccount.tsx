import { Button } from '@mantine/core'
import { useAction } from '#ui/data/useAction.ts'
import { usePageLeave } from '#ui/data/usePageLeave.ts'
import { googleLocationsContract } from '../contract.ts'

type AddAccountProps = { label: string; disabled?: boolean; variant?: 'default' | 'filled' }

/** Opens Google's consent page, which redirects back here. */
export function AddAccountButton({ label, disabled = false, variant = 'filled' }: AddAccountProps) {
  const { run, running } = useAction(googleLocationsContract.authUrl)
  const { isLeaving, leaveFor } = usePageLeave()
  async function begin() {
    const outcome = await run()
    if (outcome.done) leaveFor(outcome.answer.auth_url)
  }
  return (
    <Button variant={variant} disabled={disabled} loading={running || isLeaving} onClick={() => void begin()}>
      {label}
    </Button>
  )
}
