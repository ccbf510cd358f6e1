import { IconCheck, IconLoader2, IconX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { refreshQueries, useApi } from '#ui/data/useApi.ts'
import { usePolling } from '#ui/data/usePolling.ts'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import { type RedirectTask, redirectDomainsContract } from '../contract.ts'
import { redirectStepLabels } from '../labels.ts'
import classes from './RedirectTasks.module.css'

/** Milliseconds; steps at cPanel take seconds. */
const pollMilliseconds = 2000

/** The running steps at cPanel and recent failures, and whether cPanel is connected. */
export function RedirectTaskList() {
  const { data, refetch } = useApi(redirectDomainsContract.steps, undefined, { quiet: true })
  usePolling(true, pollMilliseconds, () => void refetch())
  // A task may outlive the request that started it: the list of domains is read again at its end.
  const running = data?.tasks.flatMap(({ id, state }) => (state === 'running' ? id : [])).join()
  useEffect(() => (running ? () => void refreshQueries(redirectDomainsContract.list.reads) : undefined), [running])
  if (!data) return null
  return (
    <>
      {!data.connected && (
        <p className={classes.notice} data-kind="warn">
          cPanel is not connected, so domains can be neither added nor removed. On the server, set CPANEL_URL,
          CPANEL_USER, CPANEL_TOKEN and CPANEL_ROOT_DOMAIN.
        </p>
      )}
      {data.tasks.length > 0 && (
        <ul className={classes.tasks} aria-label="Work at cPanel" aria-live="polite">
          {data.tasks.map((task) => (
            <RedirectTaskItem key={task.id} task={task} />
          ))}
        </ul>
      )}
    </>
  )
}

function RedirectTaskItem({ task: { kind, domain, state, steps, error } }: { task: RedirectTask }) {
  const what = kind === 'add' ? 'Adding' : 'Removing'
  return (
    <li className={classes.task}>
      <b className={state === 'failed' ? text.bad : undefined}>
        {state === 'failed' ? `${what} ${domain} failed` : `${what} ${domain} …`}
      </b>
      {error && <span>{error}</span>}
      <ol className={classes.steps}>
        {steps.map((step) => (
          <li key={step.name} className={`${arrange.lineNarrow} ${step.state === 'failed' ? text.bad : ''}`}>
            <StepStateIcon state={step.state} />
            {redirectStepLabels[step.name]}
          </li>
        ))}
      </ol>
    </li>
  )
}

function StepStateIcon({ state }: { state: RedirectTask['steps'][number]['state'] }) {
  const Icon = state === 'done' ? IconCheck : state === 'failed' ? IconX : IconLoader2
  return <Icon size={14} role="img" aria-label={state} />
}
