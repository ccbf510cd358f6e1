import { ApiError } from '#ui/data/api.ts'
import { readAgain } from '#ui/data/useApi.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { type FieldControl, group, password, select, text, textarea } from '#ui/form/fields.tsx'
import { type Client, clientChanges, clients, newerClient } from '../contract.ts'
import { timezones } from '../labels.ts'
import { RemoteToken } from './RemoteToken.tsx'

/** The wire says what is switched off; a person switches on. */
const notifications: FieldControl<boolean | 0 | 1> = (at, { Toggle }) => (
  <Toggle label="Notifications" at={{ ...at, value: at.value ? 0 : 1, set: (on) => at.set(on ? 0 : 1) }} />
)

export const fields = {
  name: text('Name'),
  user: group<{ username: string; email: string }>({ username: text('Nickname'), email: text('Email') }),
  password: password('Password'),
  timezone: select(
    'Timezone',
    Object.entries(timezones).map(([value, label]) => ({ value, label })),
  ),
  emails: textarea('Additional Emails', { hint: 'One a line. They get each lead too.' }),
  disable_notifications: notifications,
}

export const newClient = {
  name: '',
  user: { username: '', email: '' },
  password: '',
  timezone: 'America/New_York',
  emails: '',
  disable_notifications: 0,
} as const

/** The dialog sends the whole form, so all of it is checked. */
const save = { ...clients.update, body: clientChanges }
const changes = {
  ...fields,
  password: password('Password'),
  version: () => null, // sent as it was read, so that nobody saves over a newer client
}

export function EditClient({ client, opened, onClose }: { client: Client; opened: boolean; onClose: () => void }) {
  const { id, user } = client
  return (
    <FormDialog
      key={id}
      title="Edit Client"
      call={save}
      params={{ id }}
      start={startOf(client)}
      fields={changes}
      newer={{ read: newerForm, shown: inWords }}
      layout={(shown) => (
        <>
          {shown.name}
          {shown.user}
          {shown.password}
          {shown.timezone}
          {shown.emails}
          {shown.disable_notifications}
          {user && <RemoteToken clientId={id} user={user} />}
        </>
      )}
      refreshes={[clients.list]}
      opened={opened}
      onClose={onClose}
    />
  )
}

const startOf = ({ name, user, timezone, emails, disable_notifications, version }: Client) => ({
  name,
  user: { username: user?.username ?? '', email: user?.email ?? '' },
  password: '',
  timezone,
  emails,
  disable_notifications,
  version,
})

/** The form as somebody else has saved it meanwhile; the list is then as old. */
function newerForm(problem: unknown) {
  const newer = problem instanceof ApiError ? newerClient.safeParse(problem.body) : undefined
  if (!newer?.success) return undefined
  void readAgain([clients.list])
  return startOf(newer.data.newer)
}

function inWords(name: string, value: unknown): string | null {
  if (name === 'disable_notifications') return value ? 'Disabled' : 'Enabled'
  if (typeof value === 'object' && value !== null) return Object.values(value).join(', ')
  const words = name === 'timezone' ? timezones[String(value)] : String(value).split('\n').join(', ')
  return words || null
}
