import { ShortTime } from '#ui/cells/ShortTime.tsx'
import { useApi } from '#ui/data/useApi.ts'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import { type OwnSession, profileContract } from '../contract.ts'
import type { ProfilePartProps } from './part-props.ts'
import classes from './screen.module.css'

/** The user's own sessions, with a button to end each of the others. */
export default function SessionsPart({ me }: ProfilePartProps) {
  const { data, error } = useApi(profileContract.sessions, undefined, { quiet: true })
  if (!data) return <p className={text.intro}>{error?.message ?? <span data-waiting>Loading…</span>}</p>
  return (
    // Remounts when the time format changes.
    <ul key={me.time_format} className={`${classes.sessions} ${arrange.ruled} ${text.breaking}`}>
      {data.map((session) => (
        <SessionItem key={session.id} session={session} />
      ))}
    </ul>
  )
}

function SessionItem({
  session: { id, current, address, user_agent, created_at, last_used_at },
}: {
  session: OwnSession
}) {
  return (
    <li className={arrange.ends}>
      <div>
        <p title={user_agent ?? undefined}>
          {describeBrowser(user_agent)}
          {address && `, ${address}`}
        </p>
        <p className={text.small}>
          Since <ShortTime at={created_at} />,{' '}
          {current ? (
            'this session'
          ) : (
            <>
              last used <ShortTime at={last_used_at} />
            </>
          )}
        </p>
      </div>
      {!current && <ActionButton call={profileContract.endSession} input={{ params: { id } }} label="End" />}
    </li>
  )
}

// Order matters: the user agents of Edge and Opera contain Chrome, and Chrome's contains Safari.
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** Returns a user agent in words that people know: `Chrome on Windows`. */
function describeBrowser(userAgent: string | null): string {
  const find = (names: readonly (readonly [string, string])[]) => names.find(([mark]) => userAgent?.includes(mark))?.[1]
  const [browser, system] = [find(browsers), find(systems)]
  if (!browser && !system) return 'Unknown browser'
  return system ? `${browser ?? 'A browser'} on ${system}` : (browser ?? 'Unknown browser')
}
