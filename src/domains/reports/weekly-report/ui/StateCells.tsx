import { useRef } from 'react'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { type TroubleState, troubleStates, troubleStateTitle } from '#domains/campaigns/labels.ts'
import { campaignStates } from '#domains/campaigns/state/contract.ts'
import { CellSwitch } from '#ui/cells/CellSwitch.tsx'
import type { Input } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import { patchState } from './patch-state.ts'
import classes from './WeeklyReport.module.css'

type Of<Field extends string, Value> = {
  me: CurrentUser
  campaign: { id: number; name: string } & Record<Field, Value>
}

/** Whether the campaign has paid search. For those who may not change it, a word. */
export function PpcSwitch({ me, campaign }: Of<'is_ppc', 0 | 1>) {
  const optimistic = ({ params, body }: Input<typeof flip>) =>
    patchState(me, params.id, { is_ppc: body?.is_ppc ? 1 : 0 })
  const back = useAction(flip, { optimistic })
  const { run } = useAction(flip, {
    optimistic,
    undo: ({ params, body }) => void back.run({ params, body: { is_ppc: body?.is_ppc ? 0 : 1 } }),
  })
  if (!flip.allow(me)) return campaign.is_ppc ? 'Yes' : 'No'
  return (
    <CellSwitch
      label={`PPC of ${campaign.name}`}
      on={campaign.is_ppc === 1}
      set={(on) => void run({ params: { id: campaign.id }, body: { is_ppc: on ? 1 : 0 } })}
    />
  )
}

/** How the campaign is doing. */
export function StatusSelect({ me, campaign }: Of<'trouble_state', number>) {
  const before = useRef(campaign.trouble_state)
  const optimistic = ({ params, body }: Input<typeof change>) => patchState(me, params.id, body)
  const back = useAction(change, { optimistic })
  const { run } = useAction(change, {
    optimistic,
    undo: ({ params }) => void back.run({ params, body: { trouble_state: before.current as TroubleState } }), // it was one of them
  })
  if (!change.allow(me)) return troubleStateTitle(campaign.trouble_state)
  return (
    <select
      className={classes.status}
      aria-label={`Status of ${campaign.name}`}
      value={campaign.trouble_state}
      onChange={(event) => {
        const chosen = troubleStates[event.currentTarget.selectedIndex]
        before.current = campaign.trouble_state
        if (chosen) void run({ params: { id: campaign.id }, body: { trouble_state: chosen.value } })
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

const change = campaignStates.updateTroubleState
const flip = campaignStates.togglePpc
