import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { CellSwitch } from '#ui/cells/CellSwitch.tsx'
import type { CallInput } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { toastSuccess } from '#ui/feedback/toast.tsx'
import { getTroubleStateLabel, type TroubleState, troubleStates } from '../../labels.ts'
import { campaignStatesContract } from '../contract.ts'

export type CampaignState = { is_ppc: 0 | 1; trouble_state: number }
type StateControlProps<Field extends keyof CampaignState> = {
  me: CurrentUserDto
  campaign: { id: number; name: string } & Pick<CampaignState, Field>
  /** Shows the new state before the server confirms it. Returns a function that takes it back. */
  patch: (id: number, state: Partial<CampaignState>) => () => void
  className?: string | undefined
}

/** Whether the campaign has paid search. Plain text for users who may not change it. */
export function PpcSwitch({ me, campaign, patch }: StateControlProps<'is_ppc'>) {
  const optimistic = ({ params, body }: CallInput<typeof togglePpcEndpoint>) =>
    patch(params.id, { is_ppc: body?.is_ppc ? 1 : 0 })
  const back = useAction(togglePpcEndpoint, { optimistic })
  const { run } = useAction(togglePpcEndpoint, {
    optimistic,
    undo: ({ params, body }) => void back.run({ params, body: { is_ppc: body?.is_ppc ? 0 : 1 } }),
  })
  if (!togglePpcEndpoint.allow(me)) return campaign.is_ppc ? 'Yes' : 'No'
  return (
    <CellSwitch
      label={`PPC of ${campaign.name}`}
      on={campaign.is_ppc === 1}
      set={(on) => void run({ params: { id: campaign.id }, body: { is_ppc: on ? 1 : 0 } })}
    />
  )
}

/** How the campaign is doing. */
export function StatusSelect({ me, campaign, patch, className }: StateControlProps<'trouble_state'>) {
  const optimistic = ({ params, body }: CallInput<typeof updateStatusEndpoint>) => patch(params.id, body)
  const back = useAction(updateStatusEndpoint, { optimistic })
  const { run } = useAction(updateStatusEndpoint, { optimistic, quiet: true })
  async function change(state: TroubleState) {
    const params = { id: campaign.id }
    const before = campaign.trouble_state as TroubleState // it is one of them
    const { done } = await run({ params, body: { trouble_state: state } })
    if (!done) return
    toastSuccess(updateStatusEndpoint.success, () => void back.run({ params, body: { trouble_state: before } }))
  }
  if (!updateStatusEndpoint.allow(me)) return getTroubleStateLabel(campaign.trouble_state)
  return (
    <select
      className={className}
      aria-label={`Status of ${campaign.name}`}
      value={campaign.trouble_state}
      onChange={(event) => {
        const chosen = troubleStates[event.currentTarget.selectedIndex]
        if (chosen) void change(chosen.value)
      }}
    >
      {troubleStates.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}

const updateStatusEndpoint = campaignStatesContract.updateTroubleState
const togglePpcEndpoint = campaignStatesContract.togglePpc
