import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '#ui/data/useAction.ts'
import { googleLocations } from '../contract.ts'

type Props = { label: string; disabled?: boolean; variant?: 'default' | 'filled' }

/** Leads to Google's own page, which leads back here. */
export function AddAccount({ label, disabled = false, variant = 'filled' }: Props) {
  const { run, running } = useAction(googleLocations.authUrl)
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
