import { Button } from '@mantine/core'
import { useId } from 'react'
import { renderBadge, renderPageLink } from '#ui/cells/cells.tsx'
import { ShortTime } from '#ui/cells/ShortTime.tsx'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError, QueryPending } from '#ui/feedback/QueryStates.tsx'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import card from '#ui/layout/Card.module.css'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import text from '#ui/theme/text.module.css'
import { type Connection, connectionsContract } from '../contract.ts'
import type { ConnectionKind, ConnectionState } from '../labels.ts'
import ConnectButton from './ConnectButton.tsx'
import { EditConnectionDialog } from './ConnectionDialogs.tsx'
import classes from './screen.module.css'

const kinds: readonly { kind: ConnectionKind; title: string; about: string; isOne: boolean }[] = [
  {
    kind: 'smtp',
    title: 'Email',
    about: 'Every email goes out through one mail server: new leads, invitations, statements, alerts.',
    isOne: true,
  },
  {
    kind: 'callrail',
    title: 'CallRail',
    about: 'Brings in the calls, forms and texts of each account that you connect.',
    isOne: false,
  },
  {
    kind: 'google',
    title: 'Google',
    about: 'Lets you link Google accounts, so that listings stay in sync with Google.',
    isOne: true,
  },
  {
    kind: 'legacy',
    title: 'Old system',
    about: 'The tool that you are moving from. Leadline reads its clients, campaigns, sites and leads.',
    isOne: false,
  },
]

/** What Leadline is connected to, whether it works, and what to do where it does not. */
export default function ConnectionsScreen() {
  const { data, error, refetch } = useApi(connectionsContract.list, {}, { quiet: true })
  return (
    <ScreenFrame title="Connections">
      {error && <QueryError what="Connections" error={error} retry={refetch} />}
      {!data && !error && <QueryPending />}
      {data && (
        <div className={classes.kinds}>
          {kinds.map((one) => (
            <KindCard key={one.kind} {...one} connections={data.filter(({ kind }) => kind === one.kind)} />
          ))}
        </div>
      )}
    </ScreenFrame>
  )
}

type KindCardProps = (typeof kinds)[number] & { connections: readonly Connection[] }

function KindCard({ kind, title, about, isOne, connections }: KindCardProps) {
  const id = useId()
  return (
    <section className={card.card} aria-labelledby={id}>
      <header className={classes.head}>
        <div>
          <h2 id={id}>{title}</h2>
          <p className={text.quiet}>{about}</p>
        </div>
        {!(isOne && connections.length > 0) && <ConnectButton kind={kind} />}
      </header>
      {connections.length === 0 ? (
        <p className={text.quiet}>Not connected.</p>
      ) : (
        <ul className={classes.rows}>
          {connections.map((connection) => (
            <ConnectionRow key={connection.id} connection={connection} />
          ))}
        </ul>
      )}
    </section>
  )
}

const stateBadges: Record<ConnectionState, ['ok' | 'bad' | 'warn' | 'neutral', string]> = {
  untested: ['neutral', 'Not tested'],
  works: ['ok', 'Works'],
  refused: ['bad', 'Refused'],
  unreachable: ['warn', 'No answer'],
}

function ConnectionRow({ connection }: { connection: Connection }) {
  const { id, kind, name, source, account, address, state, says } = connection
  const editing = useDialog()
  const test = useAction(connectionsContract.test, { quiet: true })
  const runTest = () => void test.run({ params: { id } })
  const isOfScreen = source === 'screen'
  const reached = [account && account.name !== name ? account.name : null, address].filter(Boolean).join(' · ')
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <p className={arrange.rowNarrow}>
          <b>{name}</b> {renderBadge(...stateBadges[state])}
        </p>
        {reached && <p className={text.small}>{reached}</p>}
        <p className={state === 'refused' ? text.bad : text.small} role="status">
          {test.running ? 'Testing…' : says}
        </p>
        <p className={text.small}>
          <Since {...connection} />
        </p>
        {(state === 'refused' || state === 'unreachable') && <p>{describeRemedy(connection)}</p>}
        {(kind === 'legacy' || kind === 'callrail') && state === 'works' && (
          <p>{renderPageLink('/moves', {}, 'Make a plan to move in')}</p>
        )}
        {kind === 'google' && state === 'works' && (
          <p>{renderPageLink('/gmb-manager', {}, 'Link accounts in the GMB Manager')}</p>
        )}
      </div>
      <div className={arrange.buttons}>
        <Button variant="default" loading={test.running} onClick={runTest} aria-label={`Test ${name}`}>
          Test
        </Button>
        {isOfScreen && (
          <>
            <Button variant="default" onClick={() => editing.open(undefined)} aria-label={`Edit ${name}`}>
              Edit
            </Button>
            <ActionButton
              call={connectionsContract.remove}
              input={{ params: { id } }}
              label="Remove"
              color="red"
              variant="subtle"
              details={[name, ...(lostRecordings[kind] ?? [])]}
            />
          </>
        )}
      </div>
      {isOfScreen && (
        <EditConnectionDialog
          connection={connection}
          opened={editing.opened}
          onClose={editing.close}
          onSaved={runTest}
        />
      )}
    </li>
  )
}

/** What does not stay, because it is played from there. */
const lostRecordings: Partial<Record<ConnectionKind, [string]>> = {
  callrail: ['Recordings of its calls can no longer be played here.'],
  legacy: ['Recordings that stayed in the old system can no longer be played here.'],
}

/** When it last worked, or since when it waits for its first success. */
function Since({ used_at, tested_at, created_by, created_at }: Connection) {
  if (used_at)
    return (
      <>
        Last worked <ShortTime at={used_at} />
      </>
    )
  if (tested_at)
    return (
      <>
        Has not worked yet, last tested <ShortTime at={tested_at} />
      </>
    )
  return (
    <>
      Added {created_by && `by ${created_by} `}
      <ShortTime at={created_at} />
    </>
  )
}

const remedies: Record<ConnectionKind, string> = {
  callrail: 'Look up the API key in CallRail and enter it with Edit.',
  smtp: 'Check user, password and sender with your email provider, then correct them with Edit.',
  google: 'Look up client ID and secret in the Google Cloud console and enter them with Edit.',
  legacy: 'Sign in to the old system again, then enter the new token with Edit.',
}

const retries: Record<ConnectionKind, string> = {
  callrail: 'Leadline keeps trying. If this lasts, check the network.',
  smtp: 'Leadline tries again while emails wait. If this lasts, check the address and the network.',
  google: 'Check the network, then press Test.',
  legacy: 'Check the address and the network, then press Test.',
}

function describeRemedy({ kind, source, state }: Connection): string {
  if (state === 'unreachable') return retries[kind]
  return source === 'screen' ? remedies[kind] : 'Correct the server’s settings, then restart Leadline.'
}
