import { Button, Modal, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { IconTrash } from '@tabler/icons-react'
import { useMe } from '#domains/access/ui/current-user.ts'
import { text } from '#ui/cells/cells.tsx'
import { ApiError } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { confirm } from '#ui/feedback/confirm.tsx'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type Column, DataTable } from '#ui/table/DataTable.tsx'
import { useArray } from '#ui/table/useArray.ts'
import { eitherIsRequired, type Spammer, spam, spammerForm } from '../contract.ts'
import classes from './Spammers.module.css'

/** People whose calls and forms are tagged Autospam and hidden. */
export function Spammers() {
  const dialog = useDialog()
  const form = useSpammerForm()
  if (!spam.addSpammer.allow(useMe())) return null

  async function close() {
    if (form.isDirty() && !(await confirm('Are you sure to close this dialog?', { label: 'Close' }))) return
    form.reset()
    dialog.close()
  }
  return (
    <>
      <Button variant="default" onClick={() => dialog.open(undefined)}>
        Spammers
      </Button>
      <Modal opened={dialog.opened} onClose={() => void close()} title="Spammers" size="lg">
        <AddSpammer form={form} />
        <SpammersTable />
      </Modal>
    </>
  )
}

const empty = { name: '', phone: '', email: '' }
const useSpammerForm = () => useForm({ initialValues: empty, validate: schemaResolver(spammerForm, { sync: true }) })
type Form = ReturnType<typeof useSpammerForm>

function AddSpammer({ form }: { form: Form }) {
  const { run, running } = useAction(spam.addSpammer)
  const { name, phone, email } = form.values
  const isReady = name.trim().length > 1 && (phone.trim() !== '' || email.trim() !== '')

  async function add(body: typeof empty) {
    const outcome = await run({ body })
    if (outcome.done) form.reset()
    else if (outcome.problem instanceof ApiError)
      form.setErrors(
        Object.fromEntries(Object.entries(outcome.problem.errors).map(([field, lines]) => [field, lines.join(' ')])),
      )
  }
  return (
    <form noValidate className={classes.form} onSubmit={form.onSubmit(add)}>
      <TextInput
        label="Name"
        {...form.getInputProps('name')}
        data-autofocus
        onBlur={() => form.validateField('name')}
      />
      <TextInput
        label="Phone"
        placeholder="+# ###-###-####"
        inputMode="tel"
        {...form.getInputProps('phone')}
        onChange={(event) => form.setFieldValue('phone', masked(event.currentTarget.value))}
        onBlur={() => phone && form.validateField('phone')}
      />
      <TextInput
        label="Email"
        inputMode="email"
        {...form.getInputProps('email')}
        onBlur={() => email && form.validateField('email')}
      />
      <Button type="submit" disabled={!isReady} loading={running}>
        Add
      </Button>
      <p className={classes.note}>{eitherIsRequired}</p>
    </form>
  )
}

/** Digits as they are typed, in the form +# ###-###-####. */
function masked(typed: string): string {
  const digits = typed.replace(/\D/g, '').slice(0, 11)
  if (digits === '') return ''
  const [country, area, exchange, line] = [digits.slice(0, 1), digits.slice(1, 4), digits.slice(4, 7), digits.slice(7)]
  return `+${country}${area && ` ${area}`}${exchange && `-${exchange}`}${line && `-${line}`}`
}

const columns: Column<Spammer>[] = [
  { key: 'name', title: 'Name', width: 150, cell: (spammer) => text(spammer.name) },
  { key: 'phone', title: 'Phone', width: 128, cell: (spammer) => text(spammer.phone) },
  { key: 'email', title: 'Email', cell: (spammer) => text(spammer.email) },
  {
    key: 'actions',
    title: 'Actions',
    width: 80,
    pinned: 'end',
    cell: ({ id }) => (
      <ActionButton
        call={spam.removeSpammer}
        input={{ params: { id } }}
        label="Delete"
        icon={<IconTrash size={16} aria-hidden="true" />}
      />
    ),
  },
]

function SpammersTable() {
  const list = useArray(spam.spammers)
  return (
    <div className={classes.table}>
      <DataTable label="Spammers" list={list} columns={columns} />
    </div>
  )
}
