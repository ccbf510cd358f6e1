import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useCurrentUser } from '#domains/access/ui/current-user.ts'
import { enterView } from '#ui/data/session-token.ts'
import { useAction } from '#ui/data/useAction.ts'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { seeAsContract } from '../contract.ts'

/** Starts a read-only view as another person and reloads the app as that person. `isWide`: with its words. */
export function SeeAsButton({ id, isWide }: { id: number; isWide?: boolean }) {
  const me = useCurrentUser()
  const { run, running } = useAction(seeAsContract.begin)
  if (!seeAsContract.begin.allow(me)) return null
  async function begin() {
    const outcome = await run({ params: { id } })
    if (!outcome.done) return
    enterView(outcome.answer.token)
    location.assign('/')
  }
  return isWide ? (
    <Button variant="default" loading={running} onClick={() => void begin()}>
      See as
    </Button>
  ) : (
    <IconButton label="See as" icon={IconEye} loading={running} onClick={() => void begin()} />
  )
}
