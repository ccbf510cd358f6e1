import { Button } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { AgencyButton } from '#domains/agency/ui/public.ts'
import { NewClientButton } from '#domains/clients/ui/public.ts'
import type { ConnectionKind } from '#domains/connections/labels.ts'
import { ConnectButton } from '#domains/connections/ui/public.ts'
import { useAction } from '#ui/data/useAction.ts'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import { homeContract, type SetupStep } from '../contract.ts'
import { type SetupStepKey, setupStepTitles } from '../labels.ts'
import classes from './SetupSteps.module.css'

/** What depends on a step. */
const reasons: Record<SetupStepKey, string> = {
  agency: 'Clients see name and logo on emails, reports, statements and the rating page.',
  email: 'New leads, invitations, statements and alerts go out as emails.',
  callrail: 'Brings in calls, forms and texts of all your companies within minutes, without a webhook.',
  google: 'Keeps listings in sync with Google and tells you when one is suspended.',
  data: 'Brings in the campaigns, clients and leads that you have in an older tool, in CallRail or in files. If you start fresh, choose Later.',
  first_client: 'Each lead belongs to a client’s campaign and comes in through its site.',
}

/** What a new agency still has to do; what is done stays, ticked, until all is. */
export default function SetupSteps({ steps }: { steps: readonly SetupStep[] }) {
  const done = steps.filter((step) => step.done).length
  return (
    <section aria-labelledby="setup-steps" className={classes.steps}>
      <h2 id="setup-steps">
        Set up your agency{' '}
        <span className={text.count}>
          {done} of {steps.length} done
        </span>
      </h2>
      <ol className={classes.list}>
        {steps
          .filter((step) => step.done || !step.later)
          .map((step) => (
            <Step key={step.key} step={step} />
          ))}
      </ol>
    </section>
  )
}

function Step({ step: { key, done, says, lacks } }: { step: SetupStep }) {
  const takeUp = useAction(homeContract.putOff, { quiet: true })
  const putOff = useAction(homeContract.putOff, {
    success: () => `${setupStepTitles[key]}: put off until later`,
    undo: () => takeUp.run({ params: { key }, body: { later: false } }),
  })
  const Sign = done ? IconCircleCheck : IconCircle
  return (
    <li className={`${arrange.framed} ${arrange.column} ${classes.step}`}>
      <h3 className={arrange.line}>
        <Sign data-kind={done ? 'ok' : undefined} size={18} aria-hidden="true" />
        {setupStepTitles[key]}
      </h3>
      <p>
        {done && <span className={text.unseen}>Done. </span>}
        {says}
      </p>
      {!done && (
        <>
          <p className={text.small}>{reasons[key]}</p>
          <div className={`${arrange.buttons} ${classes.acts}`}>
            {/* Together: a button that comes later would move the one beside it away from the pointer. */}
            <Suspense>
              {renderAct(key, lacks)}
              <Button
                variant="subtle"
                color="gray"
                loading={putOff.running}
                onClick={() => void putOff.run({ params: { key }, body: { later: true } })}
              >
                Later
              </Button>
            </Suspense>
          </div>
        </>
      )}
    </li>
  )
}

const connectionKinds: Partial<Record<SetupStepKey, ConnectionKind>> = {
  email: 'smtp',
  callrail: 'callrail',
  google: 'google',
}

/** Opens in place where it can: what a step lacks decides what comes next. */
function renderAct(key: SetupStepKey, lacks: SetupStep['lacks']): ReactNode {
  const kind = connectionKinds[key]
  if (kind && lacks === 'connection') return <ConnectButton kind={kind} />
  if (key === 'agency') return <AgencyButton label="Name and logo" />
  if (key === 'data')
    return (
      <>
        {lacks === 'plan' ? <PageButton to="/moves">Make a plan</PageButton> : <ConnectButton kind="legacy" />}
        <PageButton to="/import">Import files</PageButton>
      </>
    )
  if (lacks === 'client') return <NewClientButton />
  if (lacks === 'campaign') return <PageButton to="/campaigns">Open Campaigns</PageButton>
  if (lacks === 'site') return <PageButton to="/client-sites">Open Client Sites</PageButton>
  if (lacks === 'account') return <PageButton to="/gmb-manager">Link an account</PageButton>
  return <PageButton to="/connections">Open Connections</PageButton>
}

const PageButton = ({ to, children }: { to: string; children: ReactNode }) => (
  <Button variant="default" component={Link} to={to}>
    {children}
  </Button>
)
