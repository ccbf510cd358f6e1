import { useState } from 'react'
import { permissionFlags } from '#contract/allow.ts'
import { pageTitles } from '#contract/pages.ts'
import { pagesField } from '#domains/access/ui/AccessFields.tsx'
import { usePerson } from '#ui/data/person.ts'
import { CreateSecretButton } from '#ui/feedback/SecretDialog.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { addKeyMonths, apiKeysContract } from '../contract.ts'
import { keyAccesses, keyAccessTitles, pagesClosedToKeys } from '../labels.ts'

/** A button that creates an API key and shows it once. */
export function NewApiKey() {
  const me = usePerson().subject
  if (!apiKeysContract.create.allow(me)) return null
  const flags = permissionFlags.filter((id) => me?.permissions[id] && !pagesClosedToKeys.includes(id))
  const pages = flags.map((id) => ({ id, title: pageTitles[id] }))
  return (
    <CreateSecretButton
      button="Create API Key"
      title="Your new API key"
      label="API key"
      form={(dialog) => <KeyForm key={dialog.opened ? 'open' : 'closed'} pages={pages} {...dialog} />}
    >
      Copy it now: it is not shown again. Anyone who has it can do what you allowed it to do.
    </CreateSecretButton>
  )
}

type KeyFormProps = {
  pages: Parameters<typeof pagesField>[0]
  opened: boolean
  onClose: () => void
  onMade: (key: string) => void
}

const lives = [
  { months: 1, label: 'In a month' },
  { months: 3, label: 'In 3 months' },
  { months: 6, label: 'In 6 months' },
  { months: 12, label: 'In a year' },
]

function KeyForm({ pages, opened, onClose, onMade }: KeyFormProps) {
  const [ends] = useState(() =>
    lives.map(({ months, label }) => ({ value: addKeyMonths(new Date(), months).toISOString(), label })),
  )
  return (
    <FormDialog
      title="Create API Key"
      call={apiKeysContract.create}
      start={{ name: '', pages: {}, access: 'read', export: 0, expires_at: ends[1]?.value ?? null }}
      fields={({ textControl, selectControl, toggleControl }) => ({
        name: textControl('Name', { placeholder: 'What uses it' }),
        access: selectControl(
          'Access',
          keyAccesses.map((value) => ({ value, label: keyAccessTitles[value] })),
        ),
        export: toggleControl('Can also export lists as files'),
        expires_at: selectControl('Expires', ends),
        pages: pagesField(pages),
      })}
      success={() => 'API key was created'}
      opened={opened}
      onClose={onClose}
      onSaved={({ key }) => onMade(key)}
    />
  )
}
