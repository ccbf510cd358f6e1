import { Button } from '@mantine/core'
import { useCampaignChoices } from '#domains/campaigns/ui/public.ts'
import { ShortTime } from '#ui/cells/ShortTime.tsx'
import { useSearchParams } from '#ui/data/search-params.ts'
import { buildFilterControls, FilterBar } from '#ui/filters/filters.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { useIsPhone } from '#ui/layout/useIsPhone.ts'
import { omitParams, parseWholeNumber } from '#ui/table/list-address.ts'
import { NoRowsMessage } from '#ui/table/NoRowsMessage.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import text from '#ui/theme/text.module.css'
import { type Dispute, disputesContract } from '../contract.ts'
import { disputeFilters } from '../fields.ts'
import { disputeStateTitles } from '../labels.ts'
import { DisputePane, describeLead } from './DisputePane.tsx'
import classes from './Disputes.module.css'

/** The list of the API, oldest first. */
const oldestFirst = {
  ...disputesContract.list,
  list: { ...disputesContract.list.list, defaults: { ...disputesContract.list.list.defaults, order: 'asc' } },
} as const satisfies typeof disputesContract.list

/** The disputes beside the chosen one (`dispute` in the URL); at first those to decide. On a phone one of both is shown. */
export default function DisputesScreen() {
  const list = useList(oldestFirst, { start: { state: 'open' } })
  const campaigns = useCampaignChoices({ keep: list.filters.campaign_ids ?? [] })
  const { campaign_ids, state } = buildFilterControls(disputeFilters, { campaign_ids: campaigns })
  const [search, write] = useSearchParams()
  const isPhone = useIsPhone()
  const rows = list.rows ?? []
  const found = rows.find(({ id }) => id === parseWholeNumber(search.dispute, 2_147_483_647))
  const chosen = found ?? (isPhone ? undefined : rows[0])
  /** From one dispute to the next the history entry is replaced, so that Back leads to the list. */
  const choose = (id: number | null) =>
    write(
      (before) => ({ ...omitParams(before, ['dispute']), ...(id !== null && { dispute: String(id) }) }),
      id === null || found !== undefined,
    )
  return (
    <ScreenFrame title="Disputes">
      <FilterBar list={list}>
        <span>{campaign_ids(list.filter('campaign_ids'))}</span>
        <span>{state(list.filter('state'))}</span>
      </FilterBar>
      {rows.length === 0 ? (
        <NoRowsMessage list={list} />
      ) : (
        <div className={classes.split} data-reading={chosen !== undefined || undefined}>
          <div className={`${arrange.stackNarrow} ${classes.side}`}>
            <ul className={`${arrange.framed} ${classes.list}`} aria-label="Disputes">
              {rows.map((dispute) => (
                <li key={dispute.id}>
                  <DisputeRow
                    dispute={dispute}
                    isChosen={dispute.id === chosen?.id}
                    choose={() => choose(dispute.id)}
                  />
                </li>
              ))}
            </ul>
            <ListFooter list={list} />
          </div>
          {chosen && (
            <div className={`${arrange.stackNarrow} ${classes.side}`}>
              <div data-narrow-only>
                <Button fullWidth variant="default" onClick={() => choose(null)}>
                  All disputes
                </Button>
              </div>
              <DisputePane dispute={chosen} />
            </div>
          )}
        </div>
      )}
    </ScreenFrame>
  )
}

type DisputeRowProps = { dispute: Dispute; isChosen: boolean; choose: () => void }

function DisputeRow({ dispute, isChosen, choose }: DisputeRowProps) {
  return (
    <button
      type="button"
      className={`${arrange.lines} ${classes.row}`}
      data-hover
      aria-current={isChosen || undefined}
      onClick={choose}
    >
      {describeLead(dispute)}
      <span className={text.caption}>
        {disputeStateTitles[dispute.state]} · <ShortTime at={dispute.opened_at} />
      </span>
    </button>
  )
}
