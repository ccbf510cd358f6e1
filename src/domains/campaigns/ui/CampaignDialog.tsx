import { Suspense, useState } from 'react'
import { getEmptyForm, getFormValues } from '#contract/field-definitions.ts'
import { getToday } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useAction } from '#ui/data/useAction.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { createFormValues } from '#ui/form/form-values.ts'
import { type Campaign, campaignsContract } from '../contract.ts'
import { campaignFields } from '../fields.ts'
import { workingHoursContract } from '../hours/contract.ts'
import { termsContract } from '../terms/contract.ts'
import { renderCampaignLayout, useCampaignFields } from './CampaignFields.tsx'
import type { CopiedParts } from './StartFrom.tsx'

const StartFrom = lazyComponent(() => import('./StartFrom.tsx'))
const nothingCopied: CopiedParts = { hours: null, terms: null }

type CreateCampaignProps = {
  /** Fills in the client. */
  client: { id: number; name: string } | undefined
  onSaved: (campaign: Campaign) => void
  onClose: () => void
}

export function CreateCampaignDialog({ client, onSaved, onClose }: CreateCampaignProps) {
  const { fields } = useCampaignFields(true, null, client)
  const [{ form, bind }] = useState(createFormValues)
  const [copied, copy] = useState(nothingCopied)
  const saveHours = useAction(workingHoursContract.save, { quiet: true })
  const saveTerms = useAction(termsContract.save, { quiet: true })
  /** The form has no fields for hours and terms: they follow, as they were shown. */
  async function finish(campaign: Campaign) {
    const params = { id: campaign.id }
    if (copied.hours) await saveHours.run({ params, body: copied.hours })
    if (copied.terms) {
      const from = campaign.start_date ?? getToday(appConfig.timezone)
      await saveTerms.run({ params, body: { terms: copied.terms.map((terms) => ({ ...terms, from, to: null })) } })
    }
    onSaved(campaign)
  }
  return (
    <FormDialog
      title="Create New Campaign"
      call={campaignsContract.create}
      start={getEmptyForm(campaignFields, { categories: [], ...(client ? { client_id: client.id } : {}) })}
      fields={(controls) => bind(controls, fields(controls))}
      layout={(shown) => (
        <>
          <Suspense>
            <StartFrom form={form} copied={copied} copy={copy} />
          </Suspense>
          {renderCampaignLayout(shown)}
        </>
      )}
      opened
      onClose={onClose}
      onSaved={(campaign) => void finish(campaign)}
      size="xl"
    />
  )
}

export function EditCampaignDialog({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { fields, shown } = useCampaignFields(true, campaign)
  return (
    <FormDialog
      title="Edit Campaign"
      call={campaignsContract.update}
      params={{ id: campaign.id }}
      start={toCampaignFormValues(campaign)}
      fields={(controls) => ({ ...fields(controls), id: () => null })}
      layout={renderCampaignLayout}
      conflict={{ read: toCampaignFormValues, shown }}
      opened
      onClose={onClose}
      size="xl"
    />
  )
}

const toCampaignFormValues = (campaign: Campaign) => ({
  ...getFormValues(campaignFields, campaign),
  id: campaign.id,
  version: campaign.version,
  categories: campaign.categories.map(({ id }) => id),
  client_id: campaign.client.id,
  client_sites: campaign.client_sites.map(({ id }) => id),
})
