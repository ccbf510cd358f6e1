import type { z } from 'zod'
import { formatDay } from '#ui/cells/days.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import type { FieldBinding, FieldControl } from '#ui/form/field-binding.ts'
import { type BillingTerms, type billingTermsSchema, type CampaignTerms, termsContract } from '../contract.ts'
import { termsKindTitles } from '../labels.ts'
import { TermsInput } from './TermsInput.tsx'

type TermsDialogProps = { campaign: { id: number; name: string }; start: CampaignTerms; onClose: () => void }

/** The terms of a campaign, as they were read when the dialog was opened. */
export default function TermsDialog({ campaign, start, onClose }: TermsDialogProps) {
  return (
    <FormDialog
      title={`Terms: ${campaign.name}`}
      call={termsContract.save}
      params={{ id: campaign.id }}
      start={toForm(start)}
      fields={(controls) => ({ terms: buildTermsField(controls, start.service_fee) })}
      conflict={{ read: toForm, shown: (_, value) => formatTerms(value as BillingTerms[]) }}
      opened
      onClose={onClose}
      size="lg"
    />
  )
}

const toForm = ({ terms, version }: CampaignTerms) => ({ terms, version })

const buildTermsField =
  (controls: ControlSet, serviceFee: number): FieldControl<z.input<typeof billingTermsSchema>[]> =>
  (at) => (
    // The form starts with complete terms, and added terms are complete too.
    <TermsInput at={at as FieldBinding<BillingTerms[]>} controls={controls} serviceFee={serviceFee} />
  )

/** Formats terms on one line: 01/01/2026 Flat fee, 06/01/2026 Per lead. */
const formatTerms = (terms: BillingTerms[]) =>
  terms.map(({ from, kind }) => `${formatDay(from)} ${termsKindTitles[kind]}`).join(', ')
