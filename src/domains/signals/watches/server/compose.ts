import { cutText } from '#contract/cut-text.ts'
import { formatCalendarDay, getToday } from '#contract/days.ts'
import type { AppContext } from '#domains/app-context.ts'
import { renderNoticeEmail } from '#domains/messages/public.ts'
import { countOf } from '../../server/finding.ts'
import type { OpenSignal } from '../../server/store.ts'

export type MessageSignal = OpenSignal & { campaign_name: string | null; explained_campaigns: number[] }
export type MessageTask = {
  id: number
  note: string
  date: string
  campaign_id: number | null
  campaign_name: string | null
}

/** The content of a message, independent of its channel. It names the campaign and host, and no personal data. */
export type MessageDraft = { subject: string; lines: string[]; url: string }

/** The note of a task, which is in its title, may be a sentence. */
const describeSignal = ({ title, campaign_name, evidence }: MessageSignal) =>
  `${title.replace(/\.$/, '')}${campaign_name && !title.includes(campaign_name) ? ` (${campaign_name})` : ''}. ${String(evidence.says ?? '')}`.trim()

/** Composes one message for all signals that have just opened. */
export function composeAlert({ settings }: AppContext, signals: readonly MessageSignal[]): MessageDraft {
  const [first] = signals
  return {
    subject: signals.length === 1 && first ? first.title : `${countOf(signals.length, 'new signal')}`,
    lines: signals.map(describeSignal),
    url: settings.PUBLIC_URL,
  }
}

/** Composes the daily message: open signals and due tasks. An overdue task is listed once, as a task. */
export function composeDigest(
  { settings }: AppContext,
  open: readonly MessageSignal[],
  tasks: readonly MessageTask[],
  day: string,
): MessageDraft {
  const taskIds = new Set(tasks.map(({ id }) => String(id)))
  const signals = open.filter(({ kind, subject_id }) => kind !== 'task_overdue' || !taskIds.has(subject_id))
  const parts = [
    ...(signals.length > 0 ? [countOf(signals.length, 'signal')] : []),
    ...(tasks.length > 0 ? [countOf(tasks.length, 'task')] : []),
  ]
  return {
    subject: `Your day, ${formatCalendarDay(day)}: ${parts.join(' and ')}`,
    lines: [
      ...signals.map(describeSignal),
      ...tasks.map(
        ({ note, date, campaign_name }) =>
          `Task ${date < day ? `overdue since ${formatCalendarDay(date)}` : 'due today'}: ${cutText(note, 200)}${campaign_name ? ` (${campaign_name})` : ''}`,
      ),
    ],
    url: settings.PUBLIC_URL,
  }
}

export function composeTask({ settings }: AppContext, { note, date, campaign_name }: MessageTask): MessageDraft {
  const today = getToday(settings.AGENCY_TIMEZONE)
  return {
    subject: `A task for you${campaign_name ? `: ${campaign_name}` : ''}`,
    lines: [cutText(note, 500), `It is due ${date === today ? 'today' : `on ${formatCalendarDay(date)}`}.`],
    url: settings.PUBLIC_URL,
  }
}

export const toChatText = ({ subject, lines, url }: MessageDraft) => [subject, ...lines, url].join('\n')

export const renderDraft = ({ subject, lines, url }: MessageDraft) =>
  renderNoticeEmail({
    about: 'Leadline',
    title: subject,
    paragraphs: lines.length > 60 ? [...lines.slice(0, 60), `And ${lines.length - 60} more.`] : lines,
    button: { label: 'Open Leadline', url },
    reason: 'You get this because of your notification settings in Leadline.',
  })
