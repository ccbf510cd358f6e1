import { Button } from '@mantine/core'
import { usePerson } from '#ui/data/person.ts'
import { SecretDialog } from '#ui/feedback/SecretDialog.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { webhooksContract } from '../contract.ts'
import { webhookFields } from './webhook-fields.ts'

/** A button that makes a webhook and shows its secret, once. */
export function NewWebhook() {
  const me = usePerson().subject
  const form = useDialog()
  const secret = useDialog<string>()
  if (!webhooksContract.create.allow(me)) return null
  return (
    <>
      <Button onClick={() => form.open(undefined)}>Add Webhook</Button>
      <FormDialog
        title="Add Webhook"
        call={webhooksContract.create}
        start={{ url: '', events: [] }}
        fields={webhookFields}
        success={() => 'Webhook was added'}
        opened={form.opened}
        onClose={form.close}
        onSaved={(made) => secret.open(made.secret)}
      />
      {secret.subject && (
        <SecretDialog
          title="The secret of your new webhook"
          label="Secret"
          value={secret.subject}
          opened={secret.opened}
          onClose={secret.close}
        >
          Copy it now: it is not shown again. With it the receiver can tell that messages come from here.
        </SecretDialog>
      )}
    </>
  )
}
