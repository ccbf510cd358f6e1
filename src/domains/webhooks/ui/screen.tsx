import { Suspense } from 'react'
import { ApiKeys, NewApiKey } from '#domains/access/ui/public.ts'
import { usePerson } from '#ui/data/person.ts'
import { type SearchParams, useSearchParams } from '#ui/data/search-params.ts'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { ViewTabs } from '#ui/layout/Tabs.tsx'
import { webhooksContract } from '../contract.ts'
import { NewWebhook } from './NewWebhook.tsx'
import { WebhookList } from './Webhooks.tsx'

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
