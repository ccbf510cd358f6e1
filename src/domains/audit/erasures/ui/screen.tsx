import { Button, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatPhone } from '#contract/read-phone.ts'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { ApiError, getFieldErrors } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { confirmAction } from '#ui/feedback/confirm.tsx'
import { toastError } from '#ui/feedback/toast.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { DataTable } from '#ui/table/DataTable.tsx'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import { useList } from '#ui/table/useList.ts'
import text from '#ui/theme/text.module.css'
import { type ErasureRehearsal, erasuresContract } from '../contract.ts'
import { erasureFields } from '../fields.ts'
import classes from './screen.module.css'

type PersonForm = { phone: string; email: string }

/** Erases a person by phone and email, after a rehearsal; lists past erasures below. */
export default function ErasuresScreen() {
  const list = useList(erasuresContract.list)
  return (
    <ScreenFrame title="Erase a Person">
      <p className={classes.hint} data-unprinted>
        Removes this person’s name, contact and messages everywhere. Counts stay. Cannot be undone.
      </p>
      <PersonEraser />
      <h2 className={classes.title}>Erased</h2>
      <DataTable table="erasures" label="Erased" list={list} columns={erasureColumns} />
      <ListFooter table="erasures" list={list} />
    </ScreenFrame>
  )
}

function PersonEraser() {
  const form = useForm<PersonForm>({
    initialValues: { phone: '', email: '' },
    validate: schemaResolver(erasuresContract.rehearse.body, { sync: true }),
    onValuesChange: () => setRehearsed(null),
  })
  const [rehearsed, setRehearsed] = useState<{ person: PersonForm; found: ErasureRehearsal } | null>(null)
  const onFailure = (problem: unknown) => {
    setRehearsed(null)
    toastError(problem)
    if (problem instanceof ApiError) form.setErrors(getFieldErrors(problem))
  }
  const rehearse = useAction(erasuresContract.rehearse, { onFailure })
  const erase = useAction(erasuresContract.erase, { onFailure })

  async function lookFor(person: PersonForm) {
    const outcome = await rehearse.run({ body: person })
    if (outcome.done) setRehearsed({ person, found: outcome.answer })
  }
  async function eraseNow({ person, found }: NonNullable<typeof rehearsed>) {
    const named = [person.phone, person.email].filter(Boolean).join(' and ')
    const confirmed = await confirmAction(`Are you sure to erase ${named}? This cannot be undone.`, {
      label: 'Erase',
      danger: true,
    })
    if (!confirmed) return
    const outcome = await erase.run({ body: { ...person, total: found.total } })
    if (!outcome.done) return
    form.reset()
    setRehearsed(null)
  }
  const field = (name: keyof PersonForm, label: string, type: string) => (
    <TextInput
      label={label}
      name={name}
      type={type}
      autoComplete="off"
      aria-invalid={form.errors[name] !== undefined || undefined}
      {...form.getInputProps(name)}
    />
  )
  return (
    <>
      <form
        noValidate
        className={classes.form}
        data-unprinted
        onSubmit={form.onSubmit((person) => void lookFor(person))}
      >
        {field('phone', 'Phone', 'tel')}
        {field('email', 'Email', 'email')}
        <Button type="submit" variant="default" loading={rehearse.running}>
          {' '}
          Preview
        </Button>
      </form>
      {rehearsed && (
        <RehearsalResult found={rehearsed.found} erasing={erase.running} onErase={() => void eraseNow(rehearsed)} />
      )}
    </>
  )
}

type RehearsalResultProps = { found: ErasureRehearsal; erasing: boolean; onErase: () => void }

/** What an erasure would remove, and how much. */
function RehearsalResult({
  found: { counts, total, leads, recordings, also },
  erasing,
  onErase,
}: RehearsalResultProps) {
  if (total === 0) return <output className={classes.found}>Nothing of this person was found.</output>
  return (
    <section className={classes.found} aria-label="Preview" aria-live="polite">
      <PlainTable
        className={classes.counts}
        columns={[
          { title: 'Where', isName: true, cell: ({ label }) => label },
          { title: 'Rows', align: 'end', cell: ({ rows }) => rows },
        ]}
        rows={counts}
        rowKey={({ label }) => label}
      />
      {leads.length > 0 && (
        <ul className={`${classes.leads} ${text.prose}`} aria-label="Leads">
          {leads.map(({ id, campaign, occurred_at }) => (
            <li key={id}>
              <Link to="/lead/$id" params={{ id: String(id) }}>
                Lead {id}
              </Link>{' '}
              {campaign ?? 'No campaign'}, {formatInstant(occurred_at)}
            </li>
          ))}
        </ul>
      )}
      {also.length > 0 && (
        <p>
          On the same leads: {also.map((one) => (one.includes('@') ? one : formatPhone(one))).join(', ')}. If they are
          this person’s too, erase each of them as well.
        </p>
      )}
      {recordings > 0 && (
        <p>
          {recordings === 1 ? 'One recording stays' : `${recordings} recordings stay`} at CallRail, or at the service or
          old system that sent the lead: delete {recordings === 1 ? 'it' : 'them'} there first, because the way to{' '}
          {recordings === 1 ? 'it' : 'them'} is erased here.
        </p>
      )}
      <Button color="red" loading={erasing} onClick={onErase}>
        Erase this person
      </Button>
    </section>
  )
}

const erasureColumns = buildFieldColumns(erasureFields, {
  username: { key: 'user', cell: ({ username }) => username ?? <i>Again, after a restore</i> },
  counts: { cell: ({ counts }) => counts.map(({ label, rows }) => `${label}: ${rows}`).join(', ') },
})
