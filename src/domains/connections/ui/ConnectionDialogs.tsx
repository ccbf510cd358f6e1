import { z } from 'zod'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { type Connection, changedConnectionSchema, connectionsContract, newConnectionSchemas } from '../contract.ts'
import type { ConnectionKind } from '../labels.ts'

type DialogProps = { opened: boolean; onClose: () => void; onSaved: (saved: Connection) => void }

/** Sent as it is, with no field. */
const unseen = () => null
const nameField = ({ textControl }: ControlSet) =>
  textControl('Name', { hint: 'What to call this connection here. Optional.' })
const senderField = ({ textControl }: ControlSet) =>
  textControl('Sender', { placeholder: 'Acme Leads <leads@acme.example>' })
const addressField = ({ textControl }: ControlSet) => textControl('Address', { placeholder: 'https://' })

const { callrail, smtp, google, legacy } = newConnectionSchemas

/** The form that connects a service of this kind. */
export function NewConnectionDialog({ kind, ...dialog }: DialogProps & { kind: ConnectionKind }) {
  if (kind === 'callrail')
    return (
      <FormDialog
        title="Connect CallRail"
        call={{ ...connectionsContract.create, body: callrail }}
        start={{ kind, api_key: '', account_id: null, name: null }}
        fields={(controls) => ({
          kind: unseen,
          api_key: controls.passwordControl('API key', { hint: 'CallRail shows it under Settings, API Keys.' }),
          account_id: controls.textControl('Account', {
            placeholder: 'ACC…',
            hint: 'Only if the key has access to several accounts.',
          }),
          name: nameField(controls),
        })}
        {...dialog}
      />
    )
  if (kind === 'smtp')
    return (
      <FormDialog
        title="Connect a mail server"
        call={{ ...connectionsContract.create, body: smtp }}
        start={{ kind, url: '', from: '', name: null }}
        fields={(controls) => ({
          kind: unseen,
          url: controls.textControl('Address', {
            placeholder: 'smtps://user:password@mail.acme.example:465',
            hint: 'With user and password. Write % as %25 and @ as %40 in them.',
          }),
          from: senderField(controls),
          name: nameField(controls),
        })}
        {...dialog}
      />
    )
  if (kind === 'google')
    return (
      <FormDialog
        title="Connect Google"
        call={{ ...connectionsContract.create, body: google }}
        start={{ kind, client_id: '', client_secret: '', name: null }}
        fields={(controls) => ({
          kind: unseen,
          client_id: controls.textControl('Client ID', { hint: 'The GMB Manager explains how to get one.' }),
          client_secret: controls.passwordControl('Client secret'),
          name: nameField(controls),
        })}
        {...dialog}
      />
    )
  return (
    <FormDialog
      title="Connect an old system"
      call={{ ...connectionsContract.create, body: legacy }}
      start={{ kind, address: '', token: '', name: null }}
      fields={(controls) => ({
        kind: unseen,
        address: addressField(controls),
        token: controls.passwordControl('Token', {
          hint: 'Sign in there as a super admin and copy it from a request in the browser’s developer tools: the part after Bearer in the Authorization header.',
        }),
        name: nameField(controls),
      })}
      {...dialog}
    />
  )
}

const { shape } = changedConnectionSchema
/** An empty secret stays as it is. */
const kept = <Field extends z.ZodType<string | undefined>>(field: Field) => z.literal('').or(field)
const { name, version } = shape
const changes = {
  callrail: z.strictObject({ api_key: kept(shape.api_key), name, version }),
  smtp: z.strictObject({ url: kept(shape.url), from: shape.from, name, version }),
  google: z.strictObject({ client_id: shape.client_id, client_secret: kept(shape.client_secret), name, version }),
  legacy: z.strictObject({ address: shape.address, token: kept(shape.token), name, version }),
}
const update = connectionsContract.update

/** What each form starts with: no secrets. */
const drafts = {
  callrail: ({ name, version }: Connection) => ({ name, version, api_key: '' }),
  smtp: ({ name, version, account }: Connection) => ({ name, version, url: '', from: account?.name ?? '' }),
  google: ({ name, version, account }: Connection) => ({
    name,
    version,
    client_id: account?.id ?? '',
    client_secret: '',
  }),
  legacy: ({ name, version, address }: Connection) => ({ name, version, address: address ?? '', token: '' }),
}
const formatDraftValue = (_: string, value: unknown) => (value ? String(value) : null)

/** The form that changes a connection. */
export function EditConnectionDialog({ connection, ...dialog }: DialogProps & { connection: Connection }) {
  const { id, kind, name } = connection
  const shared = { title: `Edit ${name}`, params: { id }, ...dialog }
  if (kind === 'callrail')
    return (
      <FormDialog
        call={{ ...update, body: changes.callrail }}
        start={drafts.callrail(connection)}
        fields={(controls) => ({
          api_key: controls.passwordControl('New API key'),
          name: nameField(controls),
        })}
        conflict={{ read: drafts.callrail, shown: formatDraftValue }}
        {...shared}
      />
    )
  if (kind === 'smtp')
    return (
      <FormDialog
        call={{ ...update, body: changes.smtp }}
        start={drafts.smtp(connection)}
        fields={(controls) => ({
          url: controls.passwordControl('New address, with user and password'),
          from: senderField(controls),
          name: nameField(controls),
        })}
        conflict={{ read: drafts.smtp, shown: formatDraftValue }}
        {...shared}
      />
    )
  if (kind === 'google')
    return (
      <FormDialog
        call={{ ...update, body: changes.google }}
        start={drafts.google(connection)}
        fields={(controls) => ({
          client_id: controls.textControl('Client ID'),
          client_secret: controls.passwordControl('New client secret'),
          name: nameField(controls),
        })}
        conflict={{ read: drafts.google, shown: formatDraftValue }}
        {...shared}
      />
    )
  return (
    <FormDialog
      call={{ ...update, body: changes.legacy }}
      start={drafts.legacy(connection)}
      fields={(controls) => ({
        address: addressField(controls),
        token: controls.passwordControl('New token'),
        name: nameField(controls),
      })}
      conflict={{ read: drafts.legacy, shown: formatDraftValue }}
      {...shared}
    />
  )
}
