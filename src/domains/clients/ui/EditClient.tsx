import { FormDialog } from '#ui/form/FormDialog.tsx'
import {
  type FieldControl,
  groupControl,
  passwordControl,
  selectControl,
  textareaControl,
  textControl,
} from '#ui/form/fields.tsx'
import { type Client, clientsContract, clientUpdateSchema } from '../contract.ts'
import { timezoneLabels } from '../labels.ts'
import { RemoteTokenField } from './RemoteToken.tsx'

/** The wire says what is switched off; a person switches on. */
const notificationsField: FieldControl<boolean | 0 | 1> = (at, { ToggleControl }) => (
  <ToggleControl label="Notifications" at={{ ...at, value: at.value ? 0 : 1, set: (on) => at.set(on ? 0 : 1) }} />
)

export const clientFields = {
  name: textControl('Name'),
  user: groupControl<{ username: string; email: string }>({
    username: textControl('Nickname'),
    email: textControl('Email'),
  }),
  password: passwordControl('Password'),
  timezone: selectControl(
    'Timezone',
    Object.entries(timezoneLabels).map(([value, label]) => ({ value, label })),
  ),
  emails: textareaControl('Additional Emails', { hint: 'One a line. They get each lead too.' }),
  disable_notifications: notificationsField,
}

export const emptyClientForm = {
  name: '',
  user: { username: '', email: '' },
  password: '',
  timezone: 'America/New_York',
  emails: '',
  disable_notifications: 0,
} as const

/** The dialog sends the whole form, so all of it is checked. */
const saveClientEndpoint = { ...clientsContract.update, body: clientUpdateSchema }
const clientUpdateFields = {
  ...clientFields,
  password: passwordControl('Password'),
  version: () => null, // sent as it was read, so that nobody saves over a newer client
}

export function EditClientDialog({
  client,
  opened,
  onClose,
}: {
  client: Client
  opened: boolean
  onClose: () => void
}) {
  const { id, user } = client
  return (
    <FormDialog
      key={id}
      title="Edit Client"
      call={saveClientEndpoint}
      params={{ id }}
      start={toClientFormValues(client)}
      fields={clientUpdateFields}
      conflict={{ read: toClientFormValues, shown: formatClientValue }}
      layout={(shown) => (
        <>
          {shown.name}
          {shown.user}
          {shown.password}
          {shown.timezone}
          {shown.emails}
          {shown.disable_notifications}
          {user && <RemoteTokenField clientId={id} user={user} />}
        </>
      )}
      refreshes={[clientsContract.list]}
      opened={opened}
      onClose={onClose}
    />
  )
}

const toClientFormValues = ({ name, user, timezone, emails, disable_notifications, version }: Client) => ({
  name,
  user: { username: user?.username ?? '', email: user?.email ?? '' },
  password: '',
  timezone,
  emails,
  disable_notifications,
  version,
})

function formatClientValue(name: string, value: unknown): string | null {
  if (name === 'disable_notifications') return value ? 'Disabled' : 'Enabled'
  if (typeof value === 'object' && value !== null) return Object.values(value).join(', ')
  const words = name === 'timezone' ? timezoneLabels[String(value)] : String(value).split('\n').join(', ')
  return words || null
}
