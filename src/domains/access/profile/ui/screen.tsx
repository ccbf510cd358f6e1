import { Suspense } from 'react'
import { useCurrentUser } from '#domains/access/ui/current-user.ts'
import type { ProfileSection } from '#domains/ui-part.ts'
import { EmailText } from '#ui/cells/EmailCell.tsx'
import { ShownTogether } from '#ui/feedback/ShownTogether.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import classes from './screen.module.css'

/** Everything about the user's own account. */
export function ProfileScreen({ sections }: { sections: readonly ProfileSection[] }) {
  const me = useCurrentUser()
  if (!me) return null
  return (
    <ScreenFrame title="Profile">
      <p className={classes.person}>
        {me.username} · <EmailText>{me.email}</EmailText>
      </p>
      <ShownTogether className={`${classes.parts} ${arrange.framed} ${arrange.ruled}`}>
        <Suspense fallback={<span data-waiting />}>
          {sections
            .filter(({ allow }) => allow?.(me) ?? true)
            .map(({ title, Section }) => (
              <section
                key={title}
                id={title.toLowerCase().replaceAll(' ', '-')}
                className={classes.part}
                aria-label={title}
              >
                <h2>{title}</h2>
                <Section me={me} />
              </section>
            ))}
        </Suspense>
      </ShownTogether>
    </ScreenFrame>
  )
}
