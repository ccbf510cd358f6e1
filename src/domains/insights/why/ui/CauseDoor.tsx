import { UndoRuleButton } from '#domains/leads/ui/public.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { renderPageLink } from '#ui/cells/cells.tsx'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import type { WhyCampaignIsBehind } from '../../contract.ts'
import classes from '../../ui/Insights.module.css'

type Cause = WhyCampaignIsBehind['causes'][number]
type CauseDoorProps = { cause: Cause; campaign: { id: number; name: string } }

/** The action for a cause: in place, or as a link to the right page. */
export function CauseDoor({ cause, campaign }: CauseDoorProps) {
  const { kind, label, subject, id } = cause.door
  if (kind === 'rule')
    return (
      <div className={classes.buttons}>
        <UndoRuleButton ruleId={id} />
      </div>
    )
  if (kind === 'probe')
    return (
      <div className={classes.buttons}>
        {id !== null && <ActionButton call={clientSitesContract.check} input={{ params: { id } }} label={label} />}
        {renderPageLink('/client-sites', { campaign_id: campaign.id }, 'Open the site')}
      </div>
    )
  const page = doorPages[kind]?.({ campaign, subject, day: cause.at.slice(0, 10) })
  return page ? <div className={classes.buttons}>{renderPageLink(page.path, page.search, label)}</div> : null
}

type DoorOptions = { campaign: CauseDoorProps['campaign']; subject: string; day: string }
const doorPages: Record<string, (options: DoorOptions) => { path: string; search: Record<string, string | number> }> = {
  listing: ({ subject }) => ({ path: '/campaign-gmbs', search: { search: subject } }),
  hours: ({ campaign }) => ({ path: '/campaigns', search: { q: campaign.name } }),
  link: ({ subject }) => ({ path: '/network-sites/outgoing-links', search: { q: subject } }),
  redirect: ({ subject }) => ({ path: '/redirect-domains', search: { q: subject } }),
  note: ({ campaign, day }) => ({
    path: '/campaigns-changelog',
    search: { from: day, to: day, campaign_ids: campaign.id },
  }),
}
