import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { useApi } from '#ui/data/useApi.ts'
import arrange from '#ui/layout/arrange.module.css'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import type { FormAct } from '../contract.ts'
import classes from './Batch.module.css'

/** A dialog to choose the campaign, and optionally one of its sites. */
export function MoveLeadsDialog({ run, onClose }: { run: (act: FormAct) => void; onClose: () => void }) {
  const [campaign, setCampaign] = useState<number | null>(null)
  const [site, setSite] = useState<number | null>(null)
  const campaigns = useCampaignChoices()
  const sites = useApi(clientSitesContract.all).data?.filter(({ campaign_id }) => campaign_id === campaign) ?? []
  return (
    <ModalDialog opened onClose={onClose} title="Move to a campaign">
      <div className={arrange.stack}>
        <Select
          label="Campaign"
          searchable
          data-autofocus
          data={campaigns.map(({ value, label }) => ({ value: String(value), label }))}
          value={campaign === null ? null : String(campaign)}
          onChange={(picked) => {
            setCampaign(picked === null ? null : Number(picked))
            setSite(null)
          }}
        />
        <Select
          label="Client Site"
          clearable
          placeholder="None"
          data={sites.map(({ id, url }) => ({ value: String(id), label: url }))}
          value={site === null ? null : String(site)}
          onChange={(picked) => setSite(picked === null ? null : Number(picked))}
        />
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={campaign === null}
          onClick={() => {
            if (campaign === null) return
            onClose()
            run({ action: 'move', value: { campaign_id: campaign, clientsite_id: site } })
          }}
        >
          Move
        </Button>
      </div>
    </ModalDialog>
  )
}
