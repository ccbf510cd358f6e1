import { IconReceipt } from '@tabler/icons-react'
import type { z } from 'zod'
import { formatDay } from '#ui/cells/days.ts'
import { callApi } from '#ui/data/api.ts'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import type { FieldBinding, FieldControl } from '#ui/form/field-binding.ts'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { useReadDialog } from '#ui/layout/useReadDialog.ts'
import { type BillingTerms, type billingTermsSchema, type CampaignTerms, termsContract } from '../contract.ts'
import { termsKindTitles } from '../labels.ts'
import { TermsInput } from './TermsInput.tsx'

type TermsCampaign = { id: number; name: string }

/** Reads a campaign's current terms, then opens their dialog. */
export function TermsButton({ campaign }: { campaign: TermsCampaign }) {
  const dialog = useReadDialog<CampaignTerms>()
  const open = () => void dialog.read(() => callApi(termsContract.read, { params: { id: campaign.id } }))
  return (
    <>
      <IconButton label="Terms" icon={IconReceipt} loading={dialog.isReading} onClick={open} />
      {dialog.opened && dialog.subject && (
        <TermsDialog campaign={campaign} start={dialog.subject} onClose={dialog.close} />
      )}
    </>
  )
}

const buildTermsField =
  (controls: ControlSet): FieldControl<z.input<typeof billingTermsSchema>[]> =>
  (at) => (
    // The form starts with complete terms, and added terms are complete too.
    <TermsInput at={at as FieldBinding<BillingTerms[]>} controls={controls} />
  )

type TermsDialogProps = { campaign: TermsCampaign; start: CampaignTerms; onClose: () => void }

function TermsDialog({ campaign, start, onClose }: TermsDialogProps) {
  return (
    <FormDialog
      title={`Terms: ${campaign.name}`}
      call={termsContract.save}
      params={{ id: campaign.id }}
      start={start}
      fields={(controls) => ({ terms: buildTermsField(controls), version: () => null })}
      conflict={{ read: (now) => now, shown: (_, value) => formatTerms(value as BillingTerms[]) }}
      opened
      onClose={onClose}
      size="lg"
    />
  )
}

/** Formats terms on one line: 01/01/2026 Flat fee, 06/01/2026 Per lead. */
const formatTerms = (terms: BillingTerms[]) =>
  terms.map(({ from, kind }) => `${formatDay(from)} ${termsKindTitles[kind]}`).join(', ')
