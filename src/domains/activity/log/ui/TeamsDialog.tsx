import { Button, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { type Team, teamsContract } from '#domains/access/teams/contract.ts'
import { ApiError } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { useUnsavedCount, useUnsavedDialog } from '#ui/form/useUnsavedGuard.ts'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import text from '#ui/theme/text.module.css'
import classes from './Log.module.css'

/** The agency's teams, for super admins, renamed in place. */
export function TeamsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const unsaved = useRef(0)
  const close = useUnsavedDialog({ isUnsaved: () => unsaved.current > 0, opened, onClose })
  return (
    <ModalDialog opened={opened} onClose={close} title="Teams" size="sm">
      <TeamsList unsaved={unsaved} />
    </ModalDialog>
  )
}

function TeamsList({ unsaved }: { unsaved: RefObject<number> }) {
  const { data, error, refetch } = useApi(teamsContract.list)
  const [name, setName] = useState('')
  const newTeam = useRef<HTMLInputElement>(null)
  const { run, running } = useAction(teamsContract.create)
  useUnsavedCount(unsaved, name.trim() !== '' && !running)
  const form = useTeamNameForm(name, async (body) => {
    const outcome = await run({ body })
    if (outcome.done) setName('')
    return outcome
  })
  return (
    <>
      {error && !data && <QueryError what="The teams" error={error} retry={refetch} />}
      {data?.length === 0 && <p className={text.intro}>List is empty</p>}
      <ul className={classes.teams} aria-label="Teams">
        {data?.map((team) => (
          <TeamRow key={team.id} team={team} unsaved={unsaved} onRemoved={() => newTeam.current?.focus()} />
        ))}
      </ul>
      <form noValidate onSubmit={form.submit} className={arrange.withButton}>
        <TextInput
          ref={newTeam}
          aria-label="New team"
          placeholder="New team"
          maxLength={100}
          data-autofocus
          value={name}
          error={form.error}
          onChange={(event) => {
            form.clear()
            setName(event.currentTarget.value)
          }}
        />
        <Button type="submit" loading={running}>
          Add
        </Button>
      </form>
    </>
  )
}

type TeamRowProps = { team: Team; unsaved: RefObject<number>; onRemoved: () => void }

function TeamRow({ team, unsaved, onRemoved }: TeamRowProps) {
  const [name, setName] = useState(team.name)
  const [stored, setStored] = useState(team.name)
  const field = useRef<HTMLInputElement>(null)
  if (stored !== team.name) {
    setStored(team.name)
    setName(team.name)
  }
  const isRenamed = name.trim() !== team.name
  const { run, running } = useAction(teamsContract.update)
  useUnsavedCount(unsaved, isRenamed && !running)
  const form = useTeamNameForm(name, (body) => {
    field.current?.focus() // the button goes with what it renames
    return run({ params: { id: team.id }, body: { ...body, version: team.version } })
  })
  return (
    <li>
      <form noValidate onSubmit={form.submit} className={arrange.withButton}>
        <TextInput
          ref={field}
          aria-label={`Name of ${team.name}`}
          maxLength={100}
          value={name}
          error={form.error}
          onChange={(event) => {
            form.clear()
            setName(event.currentTarget.value)
          }}
        />
        {isRenamed && (
          <Button type="submit" variant="default" loading={running}>
            Rename
          </Button>
        )}
        <ActionButton
          call={teamsContract.remove}
          input={{ params: { id: team.id } }}
          label={`Delete ${team.name}`}
          icon={IconTrash}
          details={[`${team.name}. Its items stay in the activity log.`]}
          onDone={onRemoved}
        />
      </form>
    </li>
  )
}

/** One field, checked with the contract's schema; it shows errors from the server too. */
function useTeamNameForm(
  name: string,
  save: (body: { name: string }) => Promise<{ done: boolean; problem?: unknown }>,
) {
  const [error, setError] = useState<string>()
  async function submit(event: FormEvent) {
    event.preventDefault()
    const checked = teamsContract.create.body.safeParse({ name })
    if (!checked.success) return setError(checked.error.issues[0]?.message)
    const { problem } = await save(checked.data)
    if (problem instanceof ApiError) setError(problem.errors.name?.join(' '))
  }
  return { error, clear: () => setError(undefined), submit: (event: FormEvent) => void submit(event) }
}
