import { Fragment } from 'react'
import { getEmptyForm, getFormFields, getFormValues } from '#contract/field-definitions.ts'
import { appConfig } from '#ui/data/environment.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { buildFieldControls, formatFieldValue } from '#ui/form/field-controls.tsx'
import { type FieldControl, groupControl, passwordControl, textareaControl, textControl } from '#ui/form/fields.tsx'
import { type Client, clientsContract, clientUpdateSchema } from '../contract.ts'
import { clientFields } from '../fields.ts'
import { toListedZone } from '../labels.ts'
import { RemoteTokenField } from './RemoteToken.tsx'

/** The API says what is disabled; the toggle shows what is enabled. */
const notificationsControl: FieldControl<boolean | 0 | 1> = (at, { ToggleControl }) => (
  <ToggleControl
    label={clientFields.notifications.label}
    at={{ ...at, value: at.value ? 0 : 1, set: (on) => at.set(on ? 0 : 1) }}
  />
)

export const clientControls = buildFieldControls(clientFields, {
  user: groupControl<{ username: string; email: string }>({
    username: textControl(clientFields.username.label),
    email: textControl(clientFields.email.label),
  }),
  password: passwordControl(clientFields.password.label),
  emails: textareaControl(clientFields.emails.label, { hint: 'One per line. They get each lead too.' }),
  disable_notifications: notificationsControl,
})

const agencyZone = toListedZone(appConfig.timezone)
export const emptyClientForm = getEmptyForm(clientFields, {
  user: { username: '', email: '' },
  emails: '',
  ...(agencyZone && { timezone: agencyZone }),
})

/** The dialog sends the whole form, so it validates all of it. */
const saveClientEndpoint = { ...clientsContract.update, body: clientUpdateSchema }
const updateControls = {
  ...clientControls,
  version: () => null, // sent as read, so that a newer client is not overwritten
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
      fields={updateControls}
      conflict={{ read: toClientFormValues, shown: formatClientValue }}
      layout={(shown) => (
        <>
          {getFormFields(clientFields).map((name) => (
            <Fragment key={name}>{shown[name]}</Fragment>
          ))}
          {user && <RemoteTokenField clientId={id} user={user} />}
        </>
      )}
      opened={opened}
      onClose={onClose}
    />
  )
}

const toClientFormValues = (client: Client) => ({
  ...getFormValues(clientFields, client),
  user: { username: client.user?.username ?? '', email: client.user?.email ?? '' },
  password: '',
  version: client.version,
})

function formatClientValue(name: string, value: unknown): string | null {
  if (name === 'disable_notifications') return value ? 'Disabled' : 'Enabled'
  if (typeof value === 'object' && value !== null) return Object.values(value).join(', ')
  if (name === 'emails') return String(value).split('\n').join(', ') || null
  return name in clientFields ? formatFieldValue(clientFields[name as keyof typeof clientFields], value) : null
}
