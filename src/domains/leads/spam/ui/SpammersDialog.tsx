import { Button, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import type { FocusEvent } from 'react'
import { textCell } from '#ui/cells/cells.tsx'
import { EmailText } from '#ui/cells/EmailCell.tsx'
import { renderPhone } from '#ui/cells/PhoneCell.tsx'
import { ApiError, getFieldErrors } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { useUnsavedDialog } from '#ui/form/useUnsavedGuard.ts'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import type { TableColumn } from '#ui/table/table-column.ts'
import { useArray } from '#ui/table/useArray.ts'
import { phoneOrEmailRequired, type Spammer, type SpamRule, spamContract, spammerFormSchema } from '../contract.ts'
import { RehearsedHits, rehearsalDelay } from './RehearsedHits.tsx'
import { RuleTable } from './RuleTable.tsx'
import classes from './Spammers.module.css'
import { UndoRule } from './UndoRule.tsx'

/** People whose calls and forms are tagged Autospam and hidden. */
export default function SpammersDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const undo = useDialog<SpamRule>()
  const form = useSpammerForm()
  const close = useUnsavedDialog({
    isUnsaved: () => form.isDirty(),
    opened,
    onClose: () => {
      form.reset()
      onClose()
    },
  })
  return (
    <>
      {/* Escape belongs to the dialog in front. */}
      <ModalDialog opened={opened} onClose={() => undo.opened || close()} title="Spammers" size="xl">
        <AddSpammerForm form={form} />
        <SpammersTable onUndo={undo.open} />
      </ModalDialog>
      <UndoRule dialog={undo} />
    </>
  )
}

const emptySpammer = { name: '', phone: '', email: '' }
const useSpammerForm = () =>
  useForm({ initialValues: emptySpammer, validate: schemaResolver(spammerFormSchema, { sync: true }) })
type SpammerFormState = ReturnType<typeof useSpammerForm>

function AddSpammerForm({ form }: { form: SpammerFormState }) {
  const { run, running } = useAction(spamContract.addSpammer)
  const { name, phone, email } = form.values
  const isReady = name.trim().length > 1 && (phone.trim() !== '' || email.trim() !== '')

  async function add(body: typeof emptySpammer) {
    const outcome = await run({ body })
    if (outcome.done) form.reset()
    else if (outcome.problem instanceof ApiError) form.setErrors(getFieldErrors(outcome.problem))
  }
  return (
    <form noValidate className={classes.form} data-unprinted onSubmit={form.onSubmit(add)}>
      <TextInput
        label="Name"
        {...form.getInputProps('name')}
        data-autofocus
        onBlur={(event) => isInForm(event) && form.validateField('name')}
      />
      <TextInput
        label="Phone"
        placeholder="+# ###-###-####"
        inputMode="tel"
        {...form.getInputProps('phone')}
        onChange={(event) => form.setFieldValue('phone', maskPhone(event.currentTarget.value))}
        onBlur={(event) => phone && isInForm(event) && form.validateField('phone')}
      />
      <TextInput
        label="Email"
        inputMode="email"
        {...form.getInputProps('email')}
        onBlur={(event) => email && isInForm(event) && form.validateField('email')}
      />
      <Button type="submit" disabled={!isReady} loading={running}>
        Add
      </Button>
      <p className={classes.note}>{phoneOrEmailRequired}</p>
      <SpammerRehearsal phone={phone} email={email} />
    </form>
  )
}

/** Whether the focus stays in the form. Validating on leaving it would show an error that moves the clicked button away. */
const isInForm = ({ currentTarget, relatedTarget }: FocusEvent<HTMLInputElement>): boolean =>
  currentTarget.form?.contains(relatedTarget) ?? false

/** Shows what the spammer would have hit; a phone counts once it is complete. */
function SpammerRehearsal({ phone, email }: { phone: string; email: string }) {
  const typed = { phone: phone.length === completePhoneLength ? phone : '', email: email.includes('@') ? email : '' }
  const [body] = useDebouncedValue(typed, rehearsalDelay)
  const isAsked = body.phone !== '' || body.email !== ''
  const answer = useApi(spamContract.rehearseSpammer, { body }, { enabled: isAsked, quiet: true })
  return isAsked && (typed.phone !== '' || typed.email !== '') ? <RehearsedHits answer={answer} /> : null
}
const completePhoneLength = '+# ###-###-####'.length

/** Formats typed digits as +# ###-###-####. */
function maskPhone(typed: string): string {
  const digits = typed.replace(/\D/g, '').slice(0, 11)
  if (digits === '') return ''
  const [country, area, exchange, line] = [digits.slice(0, 1), digits.slice(1, 4), digits.slice(4, 7), digits.slice(7)]
  return `+${country}${area && ` ${area}`}${exchange && `-${exchange}`}${line && `-${line}`}`
}

const spammerColumns: [TableColumn<Spammer>, ...TableColumn<Spammer>[]] = [
  { key: 'name', title: 'Name', width: 190, cell: (spammer) => textCell(spammer.name) },
  {
    key: 'phone',
    title: 'Phone',
    width: 152,
    cell: (spammer) => (spammer.phone ? renderPhone(spammer.phone) : textCell(null)),
  },
  { key: 'email', title: 'Email', cell: ({ email }) => (email ? <EmailText>{email}</EmailText> : textCell(null)) },
]

const renderDelete = ({ id, phone, email }: Spammer) => (
  <ActionButton
    call={spamContract.removeSpammer}
    input={{ params: { id } }}
    label="Delete"
    icon={IconTrash}
    details={[[phone, email].filter(Boolean).join(', ')]}
  />
)

const SpammersTable = ({ onUndo }: { onUndo: (rule: SpamRule) => void }) => (
  <RuleTable
    label="Spammers"
    list={useArray(spamContract.spammers)}
    columns={spammerColumns}
    onUndo={onUndo}
    buttons={renderDelete}
  />
)
