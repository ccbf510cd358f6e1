import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { StatementDialog } from '#domains/billing/ui/public.ts'
import { campaignAreasContract } from '#domains/campaigns/area/contract.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { workingHoursContract } from '#domains/campaigns/hours/contract.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import {
  type CampaignState as CampaignStateValues,
  PpcSwitch,
  ReadEditCampaignButton,
  ShowMapButton,
  StatusSelect,
  TermsButton,
  WorkingHoursButton,
} from '#domains/campaigns/ui/public.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { renderBadge, renderSwatch } from '#ui/cells/cells.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { getQueryKey, queryClient } from '#ui/data/useApi.ts'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type CampaignRecord, recordsContract } from '../contract.ts'
import classes from './CampaignPage.module.css'
import { useOpenStatement } from './useOpenStatement.ts'

type CampaignHeadProps = { me: CurrentUserDto; campaign: CampaignRecord }

/** The line under a campaign's name: its client, its categories, its status and whether it has paid search. */
export function CampaignState({ me, campaign }: CampaignHeadProps) {
  const { id, name, client, categories, state, archived } = campaign
  return (
    <>
      {archived === 1 && renderBadge('neutral', 'Archived')}
      {client && (
        <RecordLink kind="client" id={client.id}>
          {client.name}
        </RecordLink>
      )}
      {categories?.map((category) => (
        <span key={category.id}>{renderSwatch(category.color, category.name)}</span>
      ))}
      {state && (
        <>
          <span className={classes.control}>
            Status{' '}
            <StatusSelect me={me} campaign={{ id, name, ...state }} patch={patchState} className={classes.status} />
          </span>
          <span className={classes.control}>
            PPC <PpcSwitch me={me} campaign={{ id, name, ...state }} patch={patchState} />
          </span>
        </>
      )}
    </>
  )
}

/** Shows a new state at once. Returns a function that takes it back. */
function patchState(id: number, state: Partial<CampaignStateValues>): () => void {
  const queryKey = getQueryKey(recordsContract.campaign, { params: { id } })
  void queryClient.cancelQueries({ queryKey }) // it was sent before the change
  const before = queryClient.getQueryData<CampaignRecord>(queryKey)
  const write = (next: Partial<CampaignStateValues>) =>
    queryClient.setQueryData<CampaignRecord>(
      queryKey,
      (now) => now && { ...now, state: now.state && { ...now.state, ...next } },
    )
  write(state)
  return () => before?.state && write(before.state)
}

/** What can be opened of a campaign: the dialogs of other screens, for those who may open them there. */
export function CampaignActions({ me, campaign }: CampaignHeadProps) {
  const { id, name, archived } = campaign
  const statement = useOpenStatement(me, id)
  const reading = useDialog<number>()
  return (
    <>
      {campaignsContract.update.allow(me) && archived === 0 && <ReadEditCampaignButton id={id} />}
      {workingHoursContract.save.allow(me) && <WorkingHoursButton campaign={{ id, name }} text="Working hours" />}
      {campaignAreasContract.get.allow(me) && <ShowMapButton campaign={{ id, name }} text="Map" />}
      {termsContract.save.allow(me) && <TermsButton campaign={{ id, name }} text="Terms" />}
      {statement && (
        <Button variant="default" aria-haspopup="dialog" onClick={() => reading.open(statement.id)}>
          Statement
        </Button>
      )}
      {leadsContract.list.allow(me) && me.permissions.leads && (
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/leads" search={{ campaign_ids: id }} />}>
          Leads
        </Button>
      )}
      {reading.opened && reading.subject && (
        <Suspense>
          <StatementDialog id={reading.subject} onClose={reading.close} />
        </Suspense>
      )}
    </>
  )
}
