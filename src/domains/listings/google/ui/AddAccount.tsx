import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '#ui/data/useAction.ts'
import { googleLocationsContract } from '../contract.ts'

type AddAccountProps = { label: string; disabled?: boolean; variant?: 'default' | 'filled' }

/** Opens Google's consent page, which redirects back here. */
export function AddAccountButton({ label, disabled = false, variant = 'filled' }: AddAccountProps) {
  const { run, running } = useAction(googleLocationsContract.authUrl)
  const [leaving, setLeaving] = useState(false)
  async function begin() {
    const outcome = await run()
    if (!outcome.done) return
    setLeaving(true)
    location.assign(outcome.answer.auth_url)
  }
  return (
    <Button variant={variant} disabled={disabled} loading={running || leaving} onClick={() => void begin()}>
      {label}
    </Button>
  )
}
