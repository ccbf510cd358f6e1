import { Suspense } from 'react'
import { ApiKeys, NewApiKey } from '#domains/access/ui/public.ts'
import { usePerson } from '#ui/data/person.ts'
import { type SearchParams, useSearchParams } from '#ui/data/search-params.ts'
import { CreateSecretButton } from '#ui/feedback/SecretDialog.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { ViewTabs } from '#ui/layout/Tabs.tsx'
import { webhooksContract } from '../contract.ts'
import { WebhookList } from './Webhooks.tsx'
import { webhookFields } from './webhook-fields.ts'

const tabs = [
  { value: 'keys', label: 'API keys' },
  { value: 'webhooks', label: 'Webhooks' },
] as const

/** API keys and webhooks. */
export default function IntegrationsScreen() {
  const [{ tab }, write] = useSearchParams()
  const me = usePerson().subject
  const may = tabs.filter(({ value }) => value === 'keys' || webhooksContract.list.allow(me))
  const shown = may.find(({ value }) => value === tab)?.value ?? 'keys'
  return (
    <ScreenFrame
      title="API & Webhooks"
      actions={<Suspense>{shown === 'keys' ? <NewApiKey /> : <NewWebhook />}</Suspense>}
    >
      <ViewTabs
        label="API & Webhooks"
        tabs={may}
        chosen={shown}
        choose={(next) => write((): SearchParams => (next === 'keys' ? {} : { tab: next }))}
      >
        <Suspense>{shown === 'keys' ? <ApiKeys /> : <WebhookList />}</Suspense>
      </ViewTabs>
    </ScreenFrame>
  )
}

/** A button that creates a webhook and shows its secret, once. */
function NewWebhook() {
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
