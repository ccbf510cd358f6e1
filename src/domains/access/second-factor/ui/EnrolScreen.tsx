import { Button } from '@mantine/core'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { logOut } from '#domains/access/ui/current-user.ts'
import { useDocumentTitle } from '#ui/layout/Screen.tsx'
import text from '#ui/theme/text.module.css'
import PasskeysPart from './passkeys-part.tsx'
import classes from './second-factor.module.css'
import SecondFactorPart from './second-factor-part.tsx'

/** The only screen for a person whose role requires a second factor, until they have one. */
export default function EnrolScreen({ me, onDone }: { me: CurrentUserDto; onDone: () => void }) {
  useDocumentTitle('Second factor')
  return (
    <main className={classes.enrol}>
      <div>
        <h1>Set up a second factor</h1>
        <p className={text.quiet}>
          {me.username}, your role must have one besides the password. Set up an app or a passkey to go on.
        </p>
      </div>
      <section aria-label="Authenticator app">
        <h2>Authenticator app</h2>
        <SecondFactorPart />
      </section>
      <section aria-label="Passkeys">
        <h2>Passkeys</h2>
        <PasskeysPart />
      </section>
      <div className={classes.links}>
        <Button disabled={me.must_enrol === true} onClick={onDone}>
          Continue
        </Button>
        <Button variant="subtle" color="gray" onClick={() => void logOut()}>
          Log out
        </Button>
      </div>
    </main>
  )
}
