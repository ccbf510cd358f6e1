import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '#ui/data/api.ts'
import { buildQuery, useApi } from '#ui/data/useApi.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import type { FieldBinding } from '#ui/form/field-binding.ts'
import type { FormValues } from '#ui/form/form-values.ts'
import text from '#ui/theme/text.module.css'
import { campaignCategoriesContract } from '../categories/contract.ts'
import { type CampaignTemplate, targetNames } from '../categories/template.ts'
import { categoryTemplatesContract } from '../categories/template-contract.ts'
import { describePart } from '../categories/ui/describe-template.ts'
import { campaignsContract } from '../contract.ts'
import { handoverContract } from '../handover/contract.ts'
import { workingHoursContract } from '../hours/contract.ts'
import { termsContract } from '../terms/contract.ts'
import classes from './Campaigns.module.css'
import { useCampaignChoices } from './useCampaignChoices.ts'

/** What is copied after the campaign was created: its form has no fields for these. */
export type CopiedParts = Pick<CampaignTemplate, 'hours' | 'terms'>

type StartFromProps = { form: FormValues; copied: CopiedParts; copy: (parts: CopiedParts) => void }
type PartName = keyof CampaignTemplate
/** A template with the values that its fields had before, by part; a part that is off has none. */
type Start = { of: string; template: CampaignTemplate; before: Partial<Record<PartName, Map<string, unknown>>> }

const partTitles: Record<PartName, string> = { hours: 'Hours', targets: 'Targets', terms: 'Terms', manager: 'Manager' }

/** Starts a new campaign from the template of its category, or from a campaign: what is copied is listed, with a switch for each part. */
export default function StartFrom({ form, copied, copy }: StartFromProps) {
  const [start, setStart] = useState<Start | null>(null)
  const choices = useStartChoices(form)

  async function choose(of: string | null) {
    const restored = start ? restoreFields(form, start, copied) : copied
    setStart(null)
    copy(restored)
    const template = of && (await loadTemplate(of).catch(toastError))
    if (!of || !template) return
    const next: Start = { of, template, before: {} }
    copy(listParts(template).reduce((parts, name) => copyPart(form, next, name, parts), restored))
    setStart(next)
  }
  function change(name: PartName, on: boolean) {
    if (!start) return
    const next = { ...start, before: { ...start.before } }
    copy(on ? copyPart(form, next, name, copied) : restorePart(form, next, name, copied))
    setStart(next)
  }

  return (
    <div className={classes.start}>
      {form.controls?.selectControl<string>('Start from', choices, {
        clearable: true,
        searchable: true,
        placeholder: choices.length > 0 ? 'Nothing' : 'Nothing to copy yet',
      })(bindValue('start_from', start?.of ?? null, (of) => void choose(of)))}
      {start && (
        <ul aria-label="What is copied">
          {listParts(start.template).map((name) => (
            <li key={name}>
              {form.controls?.toggleControl(partTitles[name])(
                bindValue<boolean | 0 | 1>(`copy_${name}`, start.before[name] !== undefined, (on) =>
                  change(name, on === true),
                ),
              )}
              <span className={text.small}>{describePart(start.template, name)}</span>
            </li>
          ))}
          {listParts(start.template).length === 0 && <li className={text.small}>This template is empty.</li>}
        </ul>
      )}
    </div>
  )
}

/** Binds a control to a value that is not sent. */
const bindValue = <Value,>(
  name: string,
  value: Value | null,
  set: (value: Value | null) => void,
): FieldBinding<Value> => ({
  ...{ name, value, set, error: undefined, within: {}, required: false, other: () => undefined },
  part: () => bindValue<unknown>(name, null, () => undefined),
})

/** The templates of the chosen categories, then all campaigns. */
function useStartChoices(form: FormValues) {
  const ids = (form.read('categories') ?? []) as number[] // the value of the field of categories
  const categories = useApi(campaignCategoriesContract.list, { query: { nopag: 1 } }).data ?? []
  const campaigns = useCampaignChoices()
  const templates = useQueries({
    queries: ids.map((id) => buildQuery(categoryTemplatesContract.read, { params: { id } }, { quiet: true })),
  })
  const filled = ids.filter((_, index) => listParts(templates[index]?.data as CampaignTemplate | undefined).length > 0)
  return [
    ...filled.map((id) => ({
      value: `category-${id}`,
      label: `Template of ${categories.find((one) => one.id === id)?.name ?? 'the category'}`,
    })),
    ...campaigns.map(({ value, label }) => ({ value: `campaign-${value}`, label })),
  ]
}

const listParts = (template: CampaignTemplate | undefined) =>
  (Object.keys(partTitles) as PartName[]).filter((name) => template?.[name] != null)

async function loadTemplate(of: string): Promise<CampaignTemplate> {
  const [kind, digits] = of.split('-')
  const params = { id: Number(digits) }
  if (kind === 'category') return callApi(categoryTemplatesContract.read, { params })
  const [campaign, hours, { terms }, steps] = await Promise.all([
    callApi(campaignsContract.get, { params }),
    callApi(workingHoursContract.read, { params }),
    callApi(termsContract.read, { params }),
    callApi(handoverContract.read, { params }),
  ])
  // Without saved ones, what is read are the usual hours, and as terms the service fee, of which the new campaign has its own.
  const isSaved = (part: 'hours' | 'terms') => steps.some(({ key, done }) => key === part && done)
  const { initial_target, month_3_target, month_6_target, month_9_target, month_12_target, manager } = campaign
  return {
    hours: isSaved('hours') ? { timezone: hours.timezone, schedule: hours.schedule } : null,
    targets: { initial_target, month_3_target, month_6_target, month_9_target, month_12_target },
    terms: isSaved('terms') ? terms.slice(-1).map(({ from: _, to: __, ...undated }) => undated) : null,
    manager: manager || null,
  }
}

/** Fills in the fields of a part, and keeps what they had. */
function copyPart(form: FormValues, start: Start, name: PartName, parts: CopiedParts): CopiedParts {
  const { template } = start
  const fields = new Map<string, unknown>(
    name === 'manager'
      ? [['manager', template.manager]]
      : name === 'targets' && template.targets
        ? targetNames.map((target) => [target, template.targets?.[target]])
        : [],
  )
  start.before[name] = new Map([...fields.keys()].map((field) => [field, form.read(field)]))
  for (const [field, value] of fields) form.write(field, value)
  return name === 'hours' || name === 'terms' ? { ...parts, [name]: template[name] } : parts
}

function restorePart(form: FormValues, start: Start, name: PartName, parts: CopiedParts): CopiedParts {
  for (const [field, value] of start.before[name] ?? []) form.write(field, value)
  delete start.before[name]
  return name === 'hours' || name === 'terms' ? { ...parts, [name]: null } : parts
}

const restoreFields = (form: FormValues, start: Start, copied: CopiedParts) =>
  listParts(start.template).reduce((parts, name) => restorePart(form, start, name, parts), copied)
