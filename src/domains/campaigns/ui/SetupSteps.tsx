import { CloseButton } from '@mantine/core'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { clientsContract, getClientRows } from '#domains/clients/contract.ts'
import { useApi } from '#ui/data/useApi.ts'
import arrange from '#ui/layout/arrange.module.css'
import { campaignsContract } from '../contract.ts'
import HandoverSteps from '../handover/ui/HandoverSteps.tsx'
import { CreateCampaignButton } from './CampaignButtons.tsx'
import classes from './Campaigns.module.css'

/** The client or campaign whose next steps are shown. It is not new if only a site of it is. */
export type NextSubject = { of: 'client' | 'campaign'; id: number; isNew: boolean }

type SetupStepsProps = { subject: NextSubject; show: (next: NextSubject | null) => void }

/** Guides from a new client to its campaign, and from a campaign to what it needs before it is handed over. */
export default function SetupSteps({ subject, show }: SetupStepsProps) {
  const isAllowed = campaignsContract.create.allow(useCurrentUser())
  const ofCampaign = subject.of === 'campaign'
  const campaigns = useApi(campaignsContract.all, undefined, { enabled: isAllowed && ofCampaign }).data
  const clients = useApi(clientsContract.list, { query: { nopag: 1 } }, { enabled: isAllowed && !ofCampaign }).data
  const named = (ofCampaign ? campaigns : getClientRows(clients))?.find(({ id }) => id === subject.id)
  if (!isAllowed || !named) return null
  return (
    <section aria-label="Next steps" className={classes.steps}>
      <p role="status">{subject.isNew ? `${named.name} was created. Next:` : `Next for ${named.name}:`}</p>
      {!ofCampaign && (
        <CreateCampaignButton
          label="Add Campaign"
          client={named}
          onSaved={({ id }) => show({ of: 'campaign', id, isNew: true })}
        />
      )}
      <CloseButton className={arrange.atEnd} aria-label="Close the next steps" onClick={() => show(null)} />
      {ofCampaign && <HandoverSteps campaign={named} className={classes.handover} />}
    </section>
  )
}
