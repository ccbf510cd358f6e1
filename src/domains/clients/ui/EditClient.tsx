import { Button, TextInput } from '@mantine/core'
import { Fragment } from 'react'
import { getEmptyForm, getFormFields, getFormValues } from '#contract/field-definitions.ts'
import { foldText } from '#contract/fold-text.ts'
import { copyText } from '#ui/cells/clipboard.ts'
import { appConfig } from '#ui/data/environment.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import type { FieldBinding, FieldControl } from '#ui/form/field-binding.ts'
import { formatFieldValue } from '#ui/form/format-field-value.ts'
import arrange from '#ui/layout/arrange.module.css'
import { type Client, clientsContract, clientUpdateSchema } from '../contract.ts'
import { clientFields } from '../fields.ts'
import { toListedZone } from '../labels.ts'

/** The API says what is disabled; the toggle shows what is enabled. */
const invert =
  (toggle: FieldControl<boolean | 0 | 1>): FieldControl<boolean | 0 | 1> =>
  (at) =>
    toggle({ ...at, value: at.value ? 0 : 1, set: (on) => at.set(on ? 0 : 1) })

const buildClientControls = ({ buildFieldControls, ...controls }: ControlSet) => {
  const { groupControl, textControl, passwordControl, textareaControl, toggleControl } = controls
  return buildFieldControls(clientFields, {
    user: groupControl<{ username: string; email: string }>({
      username: textControl(clientFields.username.label),
      email: textControl(clientFields.email.label),
    }),
    password: passwordControl(clientFields.password.label),
    emails: textareaControl(clientFields.emails.label, { hint: 'One per line. Each gets every lead.' }),
    billing_emails: textareaControl(clientFields.billing_emails.label, {
      rows: 2,
      hint: 'One per line. They get statements; without any, the email above does.',
    }),
    disable_notifications: invert(toggleControl(clientFields.notifications.label)),
  })
}

/** The same for a new client, whose nickname follows from its name until it is typed, and who may be invited instead of given a password. */
export function buildNewClientControls(controls: ControlSet) {
  const { name, user, password, ...rest } = buildClientControls(controls)
  let account: FieldBinding<{ username: string; email: string }> | undefined
  return {
    name: ((at) =>
      name({
        ...at,
        set: (value) => {
          const { username = '', email = '' } = account?.value ?? {}
          if (username === toNickname(at.value)) account?.set({ username: toNickname(value), email })
          at.set(value)
        },
      })) satisfies FieldControl<string>,
    user: ((at) => {
      account = at
      return user(at)
    }) satisfies FieldControl<{ username: string; email: string }>,
    invite: controls.toggleControl('Send an invitation instead of a password'),
    password: Object.assign((at: FieldBinding<string>) => (at.other('invite') && !at.value ? null : password(at)), {
      keepsWhenEmpty: true as const,
    }),
    ...rest,
  }
}

/** Returns `granite-roofing` for Granite Roofing. */
const toNickname = (name: string | null | undefined): string =>
  foldText(name ?? '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 100)

const agencyZone = toListedZone(appConfig.timezone)
const emptyClientForm = getEmptyForm(clientFields, {
  user: { username: '', email: '' },
  emails: '',
  billing_emails: '',
  ...(agencyZone && { timezone: agencyZone }),
})
export const newClientForm = { ...emptyClientForm, invite: 0 as const }

/** The dialog sends the whole form, so it validates all of it. */
const saveClientEndpoint = { ...clientsContract.update, body: clientUpdateSchema }

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
      fields={buildClientControls}
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
  if (name === 'emails' || name === 'billing_emails') return String(value).split('\n').join(', ') || null
  return name in clientFields ? formatFieldValue(clientFields[name as keyof typeof clientFields], value) : null
}

type RemoteTokenFieldProps = { clientId: number; user: NonNullable<Client['user']> }

/** The token that signs the client in on their own site. Read only when the dialog opens, because each read is audited. */
function RemoteTokenField({ clientId, user }: RemoteTokenFieldProps) {
  const read = useApi(clientsContract.get, { params: { id: clientId } })
  const make = useAction(clientsContract.newRemoteToken)
  const token = read.data?.user?.remote_token
  const isOff = user.is_active === 0

  return (
    <div className={arrange.withButton}>
      <TextInput
        label="Remote Token"
        description={isOff ? 'Switch the client on to make one.' : 'Lasts 90 days; a new one replaces it.'}
        value={token ?? ''}
        placeholder={read.isPending ? 'Loading…' : 'None'}
        error={read.error ? 'The token could not be read' : undefined}
        readOnly
        variant="filled"
      />
      <Button variant="default" disabled={!token} onClick={() => token && void copyText(token)}>
        Copy
      </Button>
      <Button
        variant="default"
        disabled={isOff}
        loading={make.running}
        onClick={() => void make.run({ params: { id: user.id } })}
      >
        Generate
      </Button>
    </div>
  )
}
