import { IconReceipt } from '@tabler/icons-react'
import { Suspense } from 'react'
import type { z } from 'zod'
import { formatDay } from '#ui/cells/days.ts'
import { callApi } from '#ui/data/api.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { SkeletonLines } from '#ui/feedback/Skeleton.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import type { FieldBinding } from '#ui/form/field-binding.ts'
import type { FieldControl } from '#ui/form/fields.tsx'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { useReadDialog } from '#ui/layout/useReadDialog.ts'
import { type BillingTerms, type billingTermsSchema, type CampaignTerms, termsContract } from '../contract.ts'
import { termsKindTitles } from '../labels.ts'

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

const TermsInput = lazyComponent(() => import('./TermsInput.tsx'))
const termsField: FieldControl<z.input<typeof billingTermsSchema>[]> = (at, controls) => (
  <Suspense fallback={<TermsSkeleton />}>
    {/* The form starts with complete terms, and added terms are complete too. */}
    <TermsInput at={at as FieldBinding<BillingTerms[]>} controls={controls} />
  </Suspense>
)

const TermsSkeleton = () => (
  <div role="status" aria-label="Loading">
    <SkeletonLines widths={['40%', '100%', '100%', '60%']} />
  </div>
)

type TermsDialogProps = { campaign: TermsCampaign; start: CampaignTerms; onClose: () => void }

function TermsDialog({ campaign, start, onClose }: TermsDialogProps) {
  return (
    <FormDialog
      title={`Terms: ${campaign.name}`}
      call={termsContract.save}
      params={{ id: campaign.id }}
      start={start}
      fields={{ terms: termsField, version: () => null }}
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
