import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { signalsContract } from '#domains/signals/contract.ts'
import { groupSignals, useHomeSignals } from '#domains/signals/ui/public.ts'
import { getToday } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import { useApi } from '#ui/data/useApi.ts'
import { homeContract } from '../contract.ts'
import classes from './screen.module.css'

/** What a day begins with, in four figures; one that counts something links to it. */
export function HomeFigures() {
  const me = useCurrentUser()
  if (!me) return null
  return (
    <div className={classes.figures}>
      {homeContract.figures.allow(me) && <LeadFigures />}
      {signalsContract.list.allow(me) && <SignalFigures />}
    </div>
  )
}

function LeadFigures() {
  const { data } = useApi(homeContract.figures, undefined, { quiet: true })
  const today = getToday(appConfig.timezone)
  const usual = Math.round(data?.usual_by_now ?? 0)
  return (
    <>
      <Figure
        label="Leads today"
        value={data?.leads_today}
        note={usual > 0 && `usually ${usual} by now`}
        to="/leads"
        search={{ date_from: today, date_to: today }}
      />
      <Figure label="To review" value={data?.to_review} to="/leads" search={{ queue: 'review' }} />
    </>
  )
}

function SignalFigures() {
  const { signals } = useHomeSignals()
  const groups = signals && groupSignals(signals)
  const urgent = groups?.needsYou.filter(({ signal }) => signal.severity === 'severe')
  const behind = signals?.filter(({ kind, closed_at }) => kind === 'behind_target' && closed_at === null)
  return (
    <>
      <Figure label="Urgent" value={urgent?.length} {...toSignal(urgent?.[0]?.signal.id)} />
      <Figure label="Behind target" value={behind?.length} {...toSignal(behind?.[0]?.id)} />
    </>
  )
}

const toSignal = (id: number | undefined) => (id === undefined ? {} : { to: '/', search: { signal: String(id) } })

type FigureProps = {
  label: string
  value: number | undefined
  note?: ReactNode
  /** Where what it counts is listed. */
  to?: string
  search?: Record<string, string>
}

function Figure({ label, value, note, to, search }: FigureProps) {
  const content = (
    <>
      <span className={classes.figureLabel}>{label}</span>
      <strong>{value === undefined ? '–' : value.toLocaleString('en-US')}</strong>
      {note && <span className={classes.figureLabel}>{note}</span>}
    </>
  )
  if (!to) return <div className={classes.figure}>{content}</div>
  return (
    <Link to={to} search={search as never} className={classes.figure} resetScroll={false}>
      {content}
    </Link>
  )
}
