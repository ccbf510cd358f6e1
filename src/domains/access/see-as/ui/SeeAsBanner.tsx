import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { callApi } from '#ui/data/api.ts'
import { leaveView } from '#ui/data/session-token.ts'
import classes from './SeeAsBanner.module.css'

/** Shows above every screen that it is viewed as another person, with a way back. */
export default function SeeAsBanner({ me, viewer }: { me: CurrentUserDto; viewer: { username: string } }) {
  async function leave() {
    await callApi(sessionContract.logout).catch(() => undefined) // the view also expires on its own
    leaveView()
    location.assign('/')
  }
  return (
    <div className={classes.banner} role="status">
      <IconEye size={16} aria-hidden="true" />
      <span>
        You are viewing Leadline as <b>{me.username}</b>. Nothing can be changed.
      </span>
      <Button size="compact-sm" variant="default" onClick={() => void leave()}>
        Back to {viewer.username}
      </Button>
    </div>
  )
}
