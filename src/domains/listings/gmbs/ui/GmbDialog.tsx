import { Button } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { useMe } from '#domains/access/ui/current-user.ts'
import { campaigns } from '#domains/campaigns/contract.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/useCampaignChoices.ts'
import { ApiError } from '#ui/data/api.ts'
import { readAgain } from '#ui/data/useApi.ts'
import type { Choice } from '#ui/filters/ChoiceFilter.tsx'
import { type Draft, FormDialog } from '#ui/form/FormDialog.tsx'
import { type FieldControl, password, select, text, textarea, toggle } from '#ui/form/fields.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type Gmb, gmbs, newerGmb } from '../contract.ts'
import { type GmbField, labels, statuses, statusName } from '../labels.ts'
import { linkStart, maskedLink } from '../maps-link.ts'
import classes from './Gmbs.module.css'
import { ShownPassword } from './ShownPassword.tsx'

/** The campaigns count their listings. */
const refreshes = [campaigns.list]

export function CreateGmb() {
  const dialog = useDialog()
  const choices = useCampaignChoices({ enabled: dialog.opened })
  if (!gmbs.create.allow(useMe())) return null
  return (
    <>
      <Button onClick={() => dialog.open(undefined)}>Add New Campaign GMB</Button>
      <FormDialog
        title="Add New Campaign GMB"
        call={gmbs.create}
        start={empty}
        fields={fieldsWith(choices)}
        layout={(fields) => arranged(fields)}
        refreshes={refreshes}
        opened={dialog.opened}
        onClose={dialog.close}
        size="xl"
      />
    </>
  )
}

export function EditGmb({ gmb, onClose }: { gmb: Gmb; onClose: () => void }) {
  const choices = withOwn(useCampaignChoices({ keep: [gmb.campaign_id] }), gmb)
  return (
    <FormDialog
      title="Edit Campaign GMB"
      call={gmbs.update}
      params={{ id: gmb.id }}
      start={startOf(gmb)}
      fields={fieldsWith(choices)}
      layout={(fields) => arranged(fields, gmb.has_password && <ShownPassword id={gmb.id} />)}
      newer={{ read: newerForm, shown: (name, value) => inWords(choices, name, value) }}
      refreshes={refreshes}
      opened
      onClose={onClose}
      size="xl"
    />
  )
}

type GmbDraft = Draft<typeof gmbs.update>

const link: FieldControl<string> = (at, { Text }) => (
  <Text
    label={labels.link}
    at={{ ...at, set: (typed) => at.set(typed === null ? null : maskedLink(typed)) }}
    placeholder={`${linkStart}${'#'.repeat(20)}`}
    hint="The link of the listing on Google Maps, or its cid: 15 to 20 digits."
  />
)

const fieldsWith = (choices: readonly Choice<number>[]) => ({
  title: text(labels.title),
  address: text(labels.address, { hint: 'With a ZIP code at its end it stands on the campaign map.' }),
  website: text(labels.website, { placeholder: 'https://' }),
  phone: text(labels.phone),
  password: password(labels.password),
  email: text(labels.email),
  recovery_email: text(labels.recovery_email),
  link,
  review_link: text(labels.review_link, { placeholder: 'https://' }),
  campaign_id: select(labels.campaign_id, choices, { searchable: true }),
  status: select(
    labels.status,
    statuses.map(({ id, name }) => ({ value: id, label: name })),
  ),
  client_owned: toggle(labels.client_owned),
  is_client_location: toggle(labels.is_client_location),
  notes: textarea(labels.notes),
  version: () => null, // sent as it was read, so that nobody saves over a newer listing
})

const empty: GmbDraft = {
  title: null,
  address: null,
  website: null,
  phone: null,
  password: null,
  email: null,
  recovery_email: null,
  link: null,
  review_link: null,
  campaign_id: null,
  status: null,
  client_owned: false,
  is_client_location: false,
  notes: null,
  version: 1,
}

function startOf(gmb: Gmb): GmbDraft {
  const status = statuses.find(({ id }) => id === gmb.status)?.id ?? null
  return { ...(Object.fromEntries(names.map((name) => [name, gmb[name]])) as GmbDraft), status, version: gmb.version }
}

/** What is chosen already is offered too, whether it has been read yet or not. */
const withOwn = (choices: Choice<number>[], { campaign_id, campaign_name }: Gmb): Choice<number>[] =>
  choices.some(({ value }) => value === campaign_id)
    ? choices
    : [...choices, { value: campaign_id, label: campaign_name }]

/** The form as somebody else has saved it meanwhile; the list is then as old. */
function newerForm(problem: unknown) {
  const newer = problem instanceof ApiError ? newerGmb.safeParse(problem.body) : undefined
  if (!newer?.success) return undefined
  void readAgain([gmbs.list])
  return startOf(newer.data.newer)
}

function inWords(choices: readonly Choice<number>[], name: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (name === 'status') return statusName(Number(value))
  if (name === 'campaign_id') return choices.find((choice) => choice.value === value)?.label ?? `#${value}`
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  return String(value)
}

const names = Object.keys(labels) as GmbField[] // its own keys
const places: Partial<Record<GmbField, string>> = {
  title: classes.whole,
  address: classes.whole,
  link: classes.whole,
  review_link: classes.whole,
  notes: classes.whole,
}

/** Related fields beside each other. */
function arranged(fields: Record<GmbField, ReactNode>, shownPassword?: ReactNode) {
  return (
    <div className={classes.fields}>
      {order.map((name) => (
        <Fragment key={name}>
          <div className={places[name]}>{fields[name]}</div>
          {name === 'password' && shownPassword}
        </Fragment>
      ))}
    </div>
  )
}
const order: GmbField[] = [
  'title',
  'campaign_id',
  'status',
  'link',
  'address',
  'website',
  'phone',
  'email',
  'recovery_email',
  'password',
  'review_link',
  'client_owned',
  'is_client_location',
  'notes',
]
