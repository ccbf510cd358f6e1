import { formatMoney } from '#contract/money.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { dateCell, moneyCell, textCell } from '#ui/cells/cells.tsx'
import { formatDay } from '#ui/cells/days.ts'
import { useApi } from '#ui/data/useApi.ts'
import type { CampaignRecord } from '../contract.ts'
import { FactList, RecordSection, SectionState } from './RecordPage.tsx'
import { useOpenStatement } from './useOpenStatement.ts'

/** What the campaign costs and what of it was billed in this cycle; for users who read campaigns with their money. */
export function CampaignMoney({ me, campaign: { id, contract } }: { me: CurrentUserDto; campaign: CampaignRecord }) {
  const isAllowed = campaignsContract.get.allow(me)
  const query = useApi(campaignsContract.get, { params: { id } }, { enabled: isAllowed, quiet: true })
  const statement = useOpenStatement(me, id)
  if (!isAllowed) return null
  const row = query.data
  return (
    <RecordSection title="Money">
      {query.error && !row ? (
        <SectionState what="Money" query={query} />
      ) : (
        <FactList
          facts={[
            ['Fee', moneyCell(row?.service_fee)],
            [
              'Billed so far',
              statement ? (
                <span key="billed" title={`${formatDay(statement.from)} – ${formatDay(statement.to)}`}>
                  {formatMoney(statement.total)}
                </span>
              ) : (
                textCell(null)
              ),
            ],
            [
              'Net',
              <span key="net" title="The fee less approved PPC">
                {moneyCell(row?.net)}
              </span>,
            ],
            ['Start date', dateCell(contract?.start_date)],
            ['Due date', textCell(contract?.due_date)],
          ]}
        />
      )}
    </RecordSection>
  )
}
