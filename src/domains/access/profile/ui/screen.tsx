import { Suspense } from 'react'
import { useCurrentUser } from '#domains/access/ui/current-user.ts'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { profileParts } from './parts.ts'
import classes from './screen.module.css'

/** Everything about the user's own account. */
export default function ProfileScreen() {
  const me = useCurrentUser()
  if (!me) return null
  return (
    <ScreenFrame title="Profile">
      <p className={classes.person}>
        {me.username} · {me.email}
      </p>
      {/* Together, so that no part moves those below it. */}
      <Suspense>
        <div className={classes.parts}>
          {profileParts.map(({ title, Part }) => (
            <section key={title} className={classes.part} aria-label={title}>
              <h2>{title}</h2>
              <Part me={me} />
            </section>
          ))}
        </div>
      </Suspense>
    </ScreenFrame>
  )
}
