import { CloseButton } from '@mantine/core'
import { useState } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { AddClientSiteButton } from '#domains/sites/client/ui/public.ts'
import arrange from '#ui/layout/arrange.module.css'
import { ShowMapButton } from '../area/ui/ShowMap.tsx'
import { type Campaign, campaignsContract } from '../contract.ts'
import { WorkingHoursButton } from '../hours/ui/WorkingHoursButton.tsx'
import { CreateCampaignButton } from './CampaignDialog.tsx'
import classes from './Campaigns.module.css'

type SetupStepsProps = { onClose: () => void } & (
  | { client: { id: number; name: string }; campaign?: never }
  | { campaign: Campaign; client?: never }
)

/** Guides from a new client to its campaign, and then to its site, area and hours, with known values filled in. */
export default function SetupSteps({ client, campaign: first, onClose }: SetupStepsProps) {
  const [made, setMade] = useState<Campaign>()
  const campaign = made ?? first
  if (!campaignsContract.create.allow(useCurrentUser())) return null
  return (
    <section aria-label="Next steps" className={classes.steps}>
      <p role="status">{campaign?.name ?? client?.name} was created. Next:</p>
      {campaign ? (
        <>
          <AddClientSiteButton campaign={campaign} />
          <ShowMapButton campaign={campaign} text="Draw the area" />
          <WorkingHoursButton campaign={campaign} text="Set working hours" />
        </>
      ) : (
        client && <CreateCampaignButton label="Add Campaign" client={client} onSaved={setMade} />
      )}
      <CloseButton className={arrange.atEnd} aria-label="Close the next steps" onClick={onClose} />
    </section>
  )
}
