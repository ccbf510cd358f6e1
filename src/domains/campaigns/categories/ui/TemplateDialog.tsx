import type { ReactNode } from 'react'
import type { z } from 'zod'
import { clientsContract } from '#domains/clients/contract.ts'
import { toListedZone } from '#domains/clients/labels.ts'
import { appConfig } from '#ui/data/environment.ts'
import { useApi } from '#ui/data/useApi.ts'
import type { SelectChoice } from '#ui/filters/select-choice.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import type { FieldBinding, FieldControl } from '#ui/form/field-binding.ts'
import grid from '#ui/form/field-grid.module.css'
import { campaignFields } from '../../fields.ts'
import { ScheduleInput } from '../../hours/ui/ScheduleInput.tsx'
import { defaultSchedule, type WorkingSchedule } from '../../schedule.ts'
import type { BillingTerms } from '../../terms/contract.ts'
import { defaultDisputeDays } from '../../terms/labels.ts'
import { TermsInput } from '../../terms/ui/TermsInput.tsx'
import type { CampaignTemplate, campaignTemplateSchema, storedTemplateSchema } from '../template.ts'
import { categoryTemplatesContract } from '../template-contract.ts'
import { describePart } from './describe-template.ts'

type TemplateDialogProps = {
  category: { id: number; name: string }
  start: z.infer<typeof storedTemplateSchema>
  onClose: () => void
}

/** What new campaigns of a category may start with, as it was read when the dialog was opened. A part that is off is not set. */
export default function TemplateDialog({ category, start, onClose }: TemplateDialogProps) {
  const { data: zones = {} } = useApi(clientsContract.timezones, undefined, { kept: true })
  const choices = Object.entries(zones).map(([value, label]) => ({ value, label }))
  return (
    <FormDialog
      title={`Template: ${category.name}`}
      call={categoryTemplatesContract.save}
      params={{ id: category.id }}
      start={start}
      fields={(controls) => ({
        hours: optionalPart(controls, 'Hours', emptyHours, buildHoursControl(controls, choices)),
        // The schema takes anything empty for no target, which TypeScript calls unknown.
        targets: optionalPart(
          controls,
          'Targets',
          emptyTargets,
          buildTargetsControl(controls),
        ) as unknown as FieldControl<NonNullable<z.input<typeof campaignTemplateSchema>['targets']>>,
        terms: optionalPart<Part<'terms'>>(controls, 'Terms', emptyTerms, (at) => (
          // Without the fields of the days, which these terms do not have.
          <TermsInput at={at as unknown as FieldBinding<BillingTerms[]>} controls={controls} undated />
        )),
        manager: controls.textControl('Manager'),
      })}
      conflict={{
        read: (newer) => newer,
        // Each name but the version is a part, with its value.
        shown: (name, value) => describePart({ [name]: value }, name as keyof CampaignTemplate) ?? null,
      }}
      layout={({ hours, targets, terms, manager }) => (
        <>
          <p>
            New campaigns of this category can start with what is set here, with <b>Start from</b> in their form.
            Existing campaigns stay as they are.
          </p>
          {hours}
          {targets}
          {terms}
          {manager}
        </>
      )}
      opened
      onClose={onClose}
      size="lg"
    />
  )
}

type Part<Name extends keyof CampaignTemplate> = NonNullable<CampaignTemplate[Name]>

const emptyHours: Part<'hours'> = {
  timezone: toListedZone(appConfig.timezone) ?? 'America/New_York',
  schedule: defaultSchedule,
}
const emptyTargets: Part<'targets'> = {
  initial_target: 0,
  month_3_target: null,
  month_6_target: null,
  month_9_target: null,
  month_12_target: null,
}
const emptyTerms: Part<'terms'> = [
  {
    kind: 'flat',
    fee: 0,
    prices: { Form: 0, Call: 0 },
    included: 0,
    cap: null,
    dispute_days: defaultDisputeDays,
  },
]

/** A switch for a part that may be missing, and its controls while it is there. */
const optionalPart =
  <Value,>(
    { toggleControl }: ControlSet,
    label: string,
    empty: Value,
    control: (at: FieldBinding<Value>) => ReactNode,
  ): FieldControl<Value> =>
  (at) => (
    <>
      {toggleControl(label)({
        ...at,
        value: at.value != null,
        error: undefined, // below the switch, at its own control
        set: (on) => at.set(on ? empty : null),
      })}
      {at.value != null && control(at)}
    </>
  )

const buildHoursControl = (
  { groupControl, selectControl, toggleControl }: ControlSet,
  zones: readonly SelectChoice<string>[],
) =>
  groupControl<Part<'hours'>>({
    timezone: selectControl<string>('Time zone', zones),
    schedule: (at: FieldBinding<WorkingSchedule>) => <ScheduleInput at={at} toggleControl={toggleControl} />,
  })

function buildTargetsControl({ groupControl, wholeNumberControl }: ControlSet): FieldControl<Part<'targets'>> {
  const group = groupControl<Part<'targets'>>({
    initial_target: wholeNumberControl(campaignFields.initial_target.label),
    month_3_target: wholeNumberControl(campaignFields.month_3_target.label),
    month_6_target: wholeNumberControl(campaignFields.month_6_target.label),
    month_9_target: wholeNumberControl(campaignFields.month_9_target.label),
    month_12_target: wholeNumberControl(campaignFields.month_12_target.label),
  })
  return (at) => (
    <div className={grid.fields} data-columns={4}>
      {group(at)}
    </div>
  )
}
