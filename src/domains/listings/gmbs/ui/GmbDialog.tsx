import { Button } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import {
  type FieldDefinition,
  type FormField,
  getEmptyForm,
  getFormFields,
  getFormValues,
} from '#contract/field-definitions.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import type { SelectChoice } from '#ui/filters/select-choice.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import grid from '#ui/form/field-grid.module.css'
import type { FormDraft } from '#ui/form/form-dialog-props.ts'
import { formatFieldValue } from '#ui/form/format-field-value.ts'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type Gmb, gmbsContract } from '../contract.ts'
import { gmbFields } from '../fields.ts'
import { getGmbStatusName, gmbStatuses } from '../labels.ts'
import { mapsLinkPrefix, normalizeMapsLink } from '../maps-link.ts'
import { PasswordReveal } from './PasswordReveal.tsx'

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
      opened
      onClose={onClose}
      size="xl"
    />
  )
}

type GmbDraft = FormDraft<typeof gmbsContract.update>

const buildGmbFields =
  (choices: readonly SelectChoice<number>[]) =>
  ({ buildFieldControls, textControl, passwordControl, selectControl }: ControlSet) =>
    buildFieldControls(gmbFields, {
      address: textControl(gmbFields.address.label, {
        hint: 'An address that ends with a ZIP code is shown on the campaign map.',
      }),
      website: textControl(gmbFields.website.label, { placeholder: 'https://' }),
      password: passwordControl(gmbFields.password.label),
      recovery_email: textControl(gmbFields.recovery_email.label),
      link: (at) =>
        textControl(gmbFields.link.label, {
          placeholder: `${mapsLinkPrefix}${'#'.repeat(20)}`,
          hint: 'The link of the listing on Google Maps, or its cid: 15 to 20 digits.',
        })({ ...at, set: (typed) => at.set(typed === null ? null : normalizeMapsLink(typed)) }),
      review_link: textControl(gmbFields.review_link.label, { placeholder: 'https://' }),
      campaign_id: selectControl(gmbFields.campaign_id.label, choices, { searchable: true }),
      status: selectControl(
        gmbFields.status.label,
        gmbStatuses.map(({ id, name }) => ({ value: id, label: name })),
      ),
      version: () => null, // sent as read, so that a newer listing is not overwritten
    })

const emptyDraft: GmbDraft = getEmptyForm(gmbFields, { client_owned: false, is_client_location: false, version: 1 })

function toGmbDraft(gmb: Gmb): GmbDraft {
  return {
    ...getFormValues(gmbFields, gmb),
    password: null,
    recovery_email: gmb.recovery_email,
    campaign_id: gmb.campaign_id,
    status: gmbStatuses.find(({ id }) => id === gmb.status)?.id ?? null,
  }
}

/** Adds the listing's own campaign if the choices lack it. */
const includeOwnCampaign = (
  choices: SelectChoice<number>[],
  { campaign_id, campaign_name }: Gmb,
): SelectChoice<number>[] =>
  choices.some(({ value }) => value === campaign_id)
    ? choices
    : [...choices, { value: campaign_id, label: campaign_name }]

function formatGmbValue(choices: readonly SelectChoice<number>[], name: string, value: unknown): string | null {
  if (!isFormField(name) || value === null || value === undefined || value === '') return null
  if (name === 'status') return getGmbStatusName(Number(value))
  if (name === 'campaign_id') return choices.find((choice) => choice.value === value)?.label ?? `#${value}`
  return formatFieldValue(gmbFields[name], value)
}

type GmbFormField = FormField<typeof gmbFields>
const isFormField = (name: string): name is GmbFormField => name in gmbFields
const firstFields: GmbFormField[] = ['title', 'campaign_id', 'status', 'link']
const fieldOrder = [...new Set([...firstFields, ...getFormFields(gmbFields)])].filter((name) => name !== 'version')

/** Puts related fields side by side. */
function renderGmbLayout(fields: Record<GmbFormField, ReactNode>, shownPassword?: ReactNode) {
  return (
    <div className={grid.fields}>
      {fieldOrder.map((name) => (
        <Fragment key={name}>
          <div className={getWidthClass(gmbFields[name])}>{fields[name]}</div>
          {name === 'password' && shownPassword}
        </Fragment>
      ))}
    </div>
  )
}

const getWidthClass = ({ width }: FieldDefinition) => width && grid[width]
