import { usePerson } from '#ui/data/person.ts'
import { CreateSecretButton } from '#ui/feedback/SecretDialog.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { webhooksContract } from '../contract.ts'
import { webhookFields } from './webhook-fields.ts'

/** A button that creates a webhook and shows its secret, once. */
export function NewWebhook() {
  if (!webhooksContract.create.allow(usePerson().subject)) return null
  return (
    <CreateSecretButton
      button="Add Webhook"
      title="The secret of your new webhook"
      label="Secret"
      form={({ onMade, ...dialog }) => (
        <FormDialog
          title="Add Webhook"
          call={webhooksContract.create}
          start={{ url: '', events: [] }}
          fields={webhookFields}
          success={() => 'Webhook was added'}
          onSaved={({ secret }) => onMade(secret)}
          {...dialog}
        />
      )}
    >
      Copy it now: it is not shown again. The receiver uses it to verify that messages come from here.
    </CreateSecretButton>
  )
}
