import { Button } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import type { SelectChoice } from '#ui/filters/select-choice.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import {
  type FieldControl,
  passwordControl,
  selectControl,
  textareaControl,
  textControl,
  toggleControl,
} from '#ui/form/fields.tsx'
import type { FormDraft } from '#ui/form/form-dialog-props.ts'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type Gmb, gmbsContract } from '../contract.ts'
import { type GmbField, getGmbStatusName, gmbFieldLabels, gmbStatuses } from '../labels.ts'
import { mapsLinkPrefix, normalizeMapsLink } from '../maps-link.ts'
import classes from './Gmbs.module.css'
import { PasswordReveal } from './ShownPassword.tsx'

/** The campaigns count their listings. */
const refreshedEndpoints = [campaignsContract.list]

export function CreateGmbDialog() {
  const dialog = useDialog()
  const choices = useCampaignChoices({ enabled: dialog.opened })
  if (!gmbsContract.create.allow(useCurrentUser())) return null
  return (
    <>
      <Button onClick={() => dialog.open(undefined)}>Add New Campaign GMB</Button>
      <FormDialog
        title="Add New Campaign GMB"
        call={gmbsContract.create}
        start={emptyDraft}
        fields={buildGmbFields(choices)}
        layout={(fields) => renderGmbLayout(fields)}
        refreshes={refreshedEndpoints}
        opened={dialog.opened}
        onClose={dialog.close}
        size="xl"
      />
    </>
  )
}

export function EditGmbDialog({ gmb, onClose }: { gmb: Gmb; onClose: () => void }) {
  const choices = includeOwnCampaign(useCampaignChoices({ keep: [gmb.campaign_id] }), gmb)
  return (
    <FormDialog
      title="Edit Campaign GMB"
      call={gmbsContract.update}
      params={{ id: gmb.id }}
      start={toGmbDraft(gmb)}
      fields={buildGmbFields(choices)}
      layout={(fields) => renderGmbLayout(fields, gmb.has_password && <PasswordReveal id={gmb.id} />)}
      conflict={{ read: toGmbDraft, shown: (name, value) => formatGmbValue(choices, name, value) }}
      refreshes={refreshedEndpoints}
      opened
      onClose={onClose}
      size="xl"
    />
  )
}

type GmbDraft = FormDraft<typeof gmbsContract.update>

const gmbLinkField: FieldControl<string> = (at, { TextControl }) => (
  <TextControl
    label={gmbFieldLabels.link}
    at={{ ...at, set: (typed) => at.set(typed === null ? null : normalizeMapsLink(typed)) }}
    placeholder={`${mapsLinkPrefix}${'#'.repeat(20)}`}
    hint="The link of the listing on Google Maps, or its cid: 15 to 20 digits."
  />
)

const buildGmbFields = (choices: readonly SelectChoice<number>[]) => ({
  title: textControl(gmbFieldLabels.title),
  address: textControl(gmbFieldLabels.address, { hint: 'With a ZIP code at its end it stands on the campaign map.' }),
  website: textControl(gmbFieldLabels.website, { placeholder: 'https://' }),
  phone: textControl(gmbFieldLabels.phone),
  password: passwordControl(gmbFieldLabels.password),
  email: textControl(gmbFieldLabels.email),
  recovery_email: textControl(gmbFieldLabels.recovery_email),
  link: gmbLinkField,
  review_link: textControl(gmbFieldLabels.review_link, { placeholder: 'https://' }),
  campaign_id: selectControl(gmbFieldLabels.campaign_id, choices, { searchable: true }),
  status: selectControl(
    gmbFieldLabels.status,
    gmbStatuses.map(({ id, name }) => ({ value: id, label: name })),
  ),
  client_owned: toggleControl(gmbFieldLabels.client_owned),
  is_client_location: toggleControl(gmbFieldLabels.is_client_location),
  notes: textareaControl(gmbFieldLabels.notes),
  version: () => null, // sent as it was read, so that nobody saves over a newer listing
})

const emptyDraft: GmbDraft = {
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

function toGmbDraft(gmb: Gmb): GmbDraft {
  const status = gmbStatuses.find(({ id }) => id === gmb.status)?.id ?? null
  return {
    ...(Object.fromEntries(draftFieldNames.map((name) => [name, gmb[name]])) as GmbDraft),
    status,
    version: gmb.version,
  }
}

/** What is chosen already is offered too, whether it has been read yet or not. */
const includeOwnCampaign = (
  choices: SelectChoice<number>[],
  { campaign_id, campaign_name }: Gmb,
): SelectChoice<number>[] =>
  choices.some(({ value }) => value === campaign_id)
    ? choices
    : [...choices, { value: campaign_id, label: campaign_name }]

function formatGmbValue(choices: readonly SelectChoice<number>[], name: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (name === 'status') return getGmbStatusName(Number(value))
  if (name === 'campaign_id') return choices.find((choice) => choice.value === value)?.label ?? `#${value}`
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  return String(value)
}

const draftFieldNames = Object.keys(gmbFieldLabels) as GmbField[] // its own keys
const fieldClasses: Partial<Record<GmbField, string>> = {
  title: classes.whole,
  address: classes.whole,
  link: classes.whole,
  review_link: classes.whole,
  notes: classes.whole,
}

/** Related fields beside each other. */
function renderGmbLayout(fields: Record<GmbField, ReactNode>, shownPassword?: ReactNode) {
  return (
    <div className={classes.fields}>
      {fieldOrder.map((name) => (
        <Fragment key={name}>
          <div className={fieldClasses[name]}>{fields[name]}</div>
          {name === 'password' && shownPassword}
        </Fragment>
      ))}
    </div>
  )
}
const fieldOrder: GmbField[] = [
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
