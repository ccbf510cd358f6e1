import { Button, MultiSelect, NativeSelect, Select, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import { ApiError } from '#ui/data/api.ts'
import { appConfig } from '#ui/data/environment.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { toastError } from '#ui/feedback/toast.tsx'
import { useUnsavedPage } from '#ui/form/useUnsavedGuard.ts'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import { signalKindLabels, signalKinds } from '../../labels.ts'
import { type SignalWatch, watchesContract } from '../contract.ts'
import { watchChannelLabels, watchChannels, watchDigestLabels, watchDigests } from '../labels.ts'
import classes from './Notifications.module.css'

type Answer = ResponseOf<typeof watchesContract.read>
type Draft = { webhook_url: string; watches: SignalWatch[] }

const allKinds = { value: '*', label: 'All other kinds' } as const
const kindChoices = [allKinds, ...signalKinds.map((value) => ({ value, label: signalKindLabels[value] }))]
const channelChoices = watchChannels.map((value) => ({ value, label: watchChannelLabels[value] }))
const digestChoices = watchDigests.map((value) => ({ value, label: watchDigestLabels[value] }))
const timeZones = Intl.supportedValuesOf('timeZone')

const createWatch = (): SignalWatch => ({
  kind: '*',
  campaign_ids: null,
  channel: 'mail',
  digest: 'at_once',
  quiet_from: null,
  quiet_until: null,
  timezone: appConfig.timezone,
})

/** The notification settings on the profile page. */
export default function NotificationsPart() {
  const { data, error, refetch } = useApi(watchesContract.read, undefined, { quiet: true })
  if (error && !data) return <QueryError what="Notifications" error={error} retry={refetch} />
  if (!data)
    return (
      <p className={text.quiet}>
        <span data-waiting>Loading…</span>
      </p>
    )
  return <NotificationsForm saved={data} />
}

const toDraft = ({ webhook_url, watches }: Answer): Draft => ({ webhook_url: webhook_url ?? '', watches })
const isSame = (one: Draft, other: Draft) => JSON.stringify(one) === JSON.stringify(other)

function NotificationsForm({ saved }: { saved: Answer }) {
  const [draft, setDraft] = useState(() => toDraft(saved))
  const [seen, setSeen] = useState(saved)
  // What is read again in between does not undo what was changed.
  if (seen !== saved) {
    setSeen(saved)
    if (isSame(draft, toDraft(seen))) setDraft(toDraft(saved))
  }
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const save = useAction(watchesContract.save, { onFailure: (problem) => setErrors(readErrors(problem)) })
  const test = useAction(watchesContract.test)
  const [sent, setSent] = useState<ResponseOf<typeof watchesContract.test>['sent']>([])
  const isChanged = !isSame(draft, toDraft(saved))
  useUnsavedPage(() => isChanged)
  const setWatch = (place: number, change: Partial<SignalWatch>) =>
    setDraft({
      ...draft,
      watches: draft.watches.map((watch, index) => (index === place ? { ...watch, ...change } : watch)),
    })

  async function submit(watches = draft.watches) {
    setErrors({})
    const outcome = await save.run({ body: { webhook_url: draft.webhook_url.trim() || null, watches } })
    if (!outcome.done) return
    setSent([])
    setDraft((now) => (now === draft ? toDraft(outcome.answer) : now))
  }
  async function sendTest() {
    const outcome = await test.run()
    if (outcome.done) setSent(outcome.answer.sent)
  }
  return (
    <form
      className={arrange.stack}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {draft.watches.length === 0 && (
        <p className={text.quiet}>
          Urgent signals are emailed to you at once, the others in one email a day at 8:00. Add a rule to change that.
        </p>
      )}
      {saved.webhook_problem && (
        <p className={text.bad} role="alert">
          The webhook was switched off: {saved.webhook_problem}
        </p>
      )}
      {draft.watches.map((watch, place) => (
        <WatchFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no key but its position.
          key={place}
          watch={watch}
          place={place}
          errors={errors}
          set={(change) => setWatch(place, change)}
          remove={() => setDraft({ ...draft, watches: draft.watches.filter((_, index) => index !== place) })}
        />
      ))}
      {(draft.webhook_url !== '' || draft.watches.some(({ channel }) => channel === 'webhook')) && (
        <TextInput
          label="Webhook address"
          description="An incoming webhook that accepts { text }, like Slack’s."
          autoComplete="off"
          value={draft.webhook_url}
          error={errors.webhook_url?.[0]}
          onChange={(event) => setDraft({ ...draft, webhook_url: event.currentTarget.value })}
        />
      )}
      {errors[''] && (
        <p className={text.bad} role="alert">
          {errors['']}
        </p>
      )}
      <div className={arrange.buttons}>
        <Button type="submit" disabled={!isChanged} loading={save.running}>
          Save
        </Button>
        <Button variant="default" onClick={() => setDraft({ ...draft, watches: [...draft.watches, createWatch()] })}>
          Add rule
        </Button>
        {saved.watches.length > 0 && (
          <Button variant="default" onClick={() => void submit([])}>
            Restore defaults
          </Button>
        )}
        <Button variant="default" disabled={isChanged} loading={test.running} onClick={() => void sendTest()}>
          Send a test
        </Button>
      </div>
      {sent.map(({ channel, to, text: words }) => (
        <figure key={channel} className={classes.sent}>
          <figcaption className={text.small}>
            {watchChannelLabels[channel]} to {to}
          </figcaption>
          <pre>{words}</pre>
        </figure>
      ))}
    </form>
  )
}

type WatchFieldsProps = {
  watch: SignalWatch
  place: number
  errors: Record<string, string[]>
  set: (change: Partial<SignalWatch>) => void
  remove: () => void
}

function WatchFields({ watch, place, errors, set, remove }: WatchFieldsProps) {
  const id = useId()
  const campaigns = useCampaignChoices({ keep: watch.campaign_ids ?? [] })
  const errorOf = (name: keyof SignalWatch) => errors[`watches.${place}.${name}`]?.[0]
  const isTold = watch.channel !== 'none'
  return (
    <fieldset className={classes.watch} aria-labelledby={id}>
      <div className={classes.head}>
        <strong id={id}>Rule {place + 1}</strong>
        <IconButton label={`Remove rule ${place + 1}`} icon={IconTrash} onClick={remove} />
      </div>
      <NativeSelect
        label="Signals"
        data={kindChoices}
        value={watch.kind}
        onChange={(event) => set({ kind: event.currentTarget.value as SignalWatch['kind'] })} // one of the choices
      />
      <MultiSelect
        label="Campaigns"
        placeholder={watch.campaign_ids === null ? 'All' : undefined}
        searchable
        hidePickedOptions
        limit={200}
        data={campaigns.map(({ value, label }) => ({ value: String(value), label }))}
        value={(watch.campaign_ids ?? []).map(String)}
        onChange={(picked) => set({ campaign_ids: picked.length > 0 ? picked.map(Number) : null })}
      />
      <NativeSelect
        label="How"
        data={channelChoices}
        value={watch.channel}
        onChange={(event) => set({ channel: event.currentTarget.value as SignalWatch['channel'] })} // one of the choices
      />
      {isTold && (
        <>
          <NativeSelect
            label="When"
            data={digestChoices}
            value={watch.digest}
            onChange={(event) => set({ digest: event.currentTarget.value as SignalWatch['digest'] })} // one of the choices
          />
          <TextInput
            label="Quiet from"
            type="time"
            value={watch.quiet_from ?? ''}
            error={errorOf('quiet_from')}
            onChange={(event) => set({ quiet_from: event.currentTarget.value || null })}
          />
          <TextInput
            label="Quiet until"
            type="time"
            value={watch.quiet_until ?? ''}
            error={errorOf('quiet_until')}
            onChange={(event) => set({ quiet_until: event.currentTarget.value || null })}
          />
          <Select
            label="Time zone"
            searchable
            limit={200}
            data={timeZones.includes(watch.timezone) ? timeZones : [watch.timezone, ...timeZones]}
            value={watch.timezone}
            error={errorOf('timezone')}
            onChange={(timezone) => timezone && set({ timezone })}
          />
        </>
      )}
    </fieldset>
  )
}

/** Returns the refused values by field; other problems are shown as a toast. */
function readErrors(problem: unknown): Record<string, string[]> {
  if (problem instanceof ApiError && problem.status === 422) return problem.errors
  toastError(problem)
  return {}
}
