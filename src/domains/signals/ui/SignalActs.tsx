import { Button, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useRef, useState } from 'react'
import { buildRecordPath, recordPaths } from '#contract/record-paths.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { StatementDialog } from '#domains/billing/ui/public.ts'
import { leadMailsContract } from '#domains/leads/mail/contract.ts'
import { UndoRuleButton } from '#domains/leads/ui/public.ts'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { usePageAccess } from '#ui/data/page-access.ts'
import { useAction } from '#ui/data/useAction.ts'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type Signal, signalsContract } from '../contract.ts'
import { unprobedTypes } from '../unprobed-types.ts'
import classes from './Signals.module.css'
import { findHookList, findSubjectList, findSubjectPage, mendingLabels } from './signal-links.ts'
import { readText } from './signal-times.ts'
import { getSnoozePresets } from './snooze.ts'

const SnoozeDialog = lazyComponent(() => import('./SnoozeDialog.tsx'))

/** The one act that mends the signal, then the quiet ones. `data-key` names the key that presses a button on Home. */
export function SignalActs({ signal }: { signal: Signal }) {
  const me = useCurrentUser()
  const main = useMainAct(signal)
  if (!me || !signalsContract.claim.allow(me)) return null
  const input = { params: { id: signal.id } }
  const { kind, claimed_by, campaign, task_id } = signal
  return (
    <div className={classes.buttons} data-unprinted>
      {main}
      {!unprobedTypes.has(signal.subject.type) && (
        <span data-key="c">
          <CheckNow signal={signal} variant={main ? 'default' : 'filled'} />
        </span>
      )}
      {claimed_by === null && (
        <span data-key="t">
          <ActionButton call={signalsContract.claim} input={input} label="I’ll take it" />
        </span>
      )}
      {claimed_by !== null && (claimed_by.id === me.id || me.isSuperAdmin) && (
        <ActionButton call={signalsContract.unclaim} input={input} label="Hand back" />
      )}
      <Snooze signal={signal} />
      {campaign && task_id === null && kind !== 'task_overdue' && (
        <ActionButton call={signalsContract.task} input={input} label="Create task" />
      )}
    </div>
  )
}

function CheckNow({ signal, variant }: { signal: Signal; variant: 'default' | 'filled' }) {
  // Of the press: the answer may be on the card before its toast.
  const before = useRef(signal.probed_at)
  const { run, running } = useAction(signalsContract.probe, {
    success: ({ closed_at, probed_at }) => {
      if (closed_at !== null) return 'Fixed, closed.'
      return probed_at === before.current ? describeUnchecked(signal) : 'Still failing.'
    },
  })
  const check = () => {
    before.current = signal.probed_at
    void run({ params: { id: signal.id } })
  }
  return (
    <Button variant={variant} loading={running} onClick={check}>
      Check now
    </Button>
  )
}

function describeUnchecked({ subject: { type, label } }: Signal): string {
  if (type === 'listing') return 'The check was sent to Google; this signal follows its answer.'
  const why =
    type === 'domain' ? `the registry of ${label} did not answer` : 'neither calls nor the website could be read'
  return `Not checked: ${why}. Please try again later.`
}

/** Returns what mends a signal of this kind, beside checking again; null where checking is the main act. */
function useMainAct(signal: Signal) {
  const me = useCurrentUser()
  const mayOpen = usePageAccess()
  const { kind, evidence, subject } = signal
  if (kind === 'rule_hides_good_leads') return <UndoRuleButton ruleId={Number(subject.id)} />
  // Older signals do not name the email.
  if (kind === 'mail_refused' && typeof evidence.mail_id === 'number' && typeof evidence.mail_lead_id === 'number')
    return (
      <ActionButton
        call={leadMailsContract.sendAgain}
        input={{ params: { id: evidence.mail_lead_id, mailId: evidence.mail_id } }}
        label="Send again"
        variant="filled"
      />
    )
  if (kind === 'statement_refused') return <StatementButton id={Number(subject.id)} />
  const label = mendingLabels[kind]
  if (!label || !me) return null
  const url =
    kind === 'link_lost' ? readText(evidence.page) : kind === 'listing_suspended' ? readText(evidence.url) : null
  if (url)
    return (
      <Button component="a" href={url} target="_blank" rel="noreferrer">
        {label}
      </Button>
    )
  const list = kind === 'hooks_lost' ? findHookList(me, signal) : findSubjectList(me, signal)
  const page = findSubjectPage(signal)
  const to =
    list ?? (page && mayOpen(recordPaths[page.kind]) ? { path: buildRecordPath(page.kind, page.id), search: {} } : null)
  return (
    to && (
      <Button component={Link} to={to.path} search={to.search as never}>
        {label}
      </Button>
    )
  )
}

/** Opens the statement, which can be emailed again there. */
function StatementButton({ id }: { id: number }) {
  const statement = useDialog()
  return (
    <>
      <Button onClick={() => statement.open(undefined)}>Open the statement</Button>
      {statement.opened && (
        <Suspense>
          <StatementDialog id={id} onClose={statement.close} />
        </Suspense>
      )}
    </>
  )
}

/** The usual ends of a snooze, and any other in a dialog. */
function Snooze({ signal }: { signal: Signal }) {
  const [opened, setOpened] = useState(false)
  const other = useDialog()
  const { run, running } = useAction(signalsContract.mute, {
    success: ({ muted_until }) => (muted_until ? `Snoozed until ${formatInstant(muted_until)}` : 'Snooze was ended'),
  })
  const snooze = (until: string | null) => void run({ params: { id: signal.id }, body: { until } })
  const { muted_until } = signal
  if (muted_until !== null && Date.parse(muted_until) > Date.now())
    return (
      <Button variant="default" loading={running} onClick={() => snooze(null)}>
        End snooze
      </Button>
    )
  return (
    <span data-key="s">
      <Menu opened={opened} onChange={setOpened} position="bottom-start">
        <Menu.Target>
          <Button variant="default" loading={running}>
            Snooze
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {getSnoozePresets().map(({ label, until }) => (
            <Menu.Item key={label} title={formatInstant(until)} onClick={() => snooze(until)}>
              {label}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => other.open(undefined)}>Other…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {other.opened && (
        <Suspense>
          <SnoozeDialog signal={signal} onClose={other.close} />
        </Suspense>
      )}
    </span>
  )
}
