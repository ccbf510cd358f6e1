import { countOf } from '#contract/count-of.ts'
import { cutText } from '#contract/cut-text.ts'
import { getToday } from '#contract/days.ts'
import { formatDueDay } from '#contract/short-times.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { readAgency } from '#domains/agency/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { type NoticeGroup, renderNoticeEmail } from '#domains/messages/public.ts'
import { describeChecks } from '../../describe-checks.ts'
import { describeLostRange } from '../../describe-lost-leads.ts'
import { type SignalSeverity, signalGroupLabels, signalSeverities } from '../../labels.ts'
import type { OpenSignal } from '../../server/store.ts'
import { watchesContract } from '../contract.ts'

export type MessageSignal = OpenSignal & {
  campaign_name: string | null
  explained_campaigns: number[]
  is_muted: boolean
  is_handled: boolean
}
export type MessageTask = {
  id: number
  note: string
  date: string
  campaign_id: number | null
  campaign_name: string | null
}

/** The content of a message, independent of its channel. It names the campaign and host, and no personal data. */
export type MessageDraft = { subject: string; lines: string[]; groups: NoticeGroup[]; url: string }

/** A message has at most this many signals and tasks; Home has the rest. */
const maxItems = 10
/** The subject names at most this many campaigns. */
const maxNames = 2

/** Composes one message for all signals that have just opened; that of one is about nothing else. */
export function composeAlert(context: AppContext, signals: readonly MessageSignal[]): MessageDraft {
  const [first, ...more] = signals
  if (!first || more.length > 0) return composeDigest(context, signals, [], getToday(context.settings.AGENCY_TIMEZONE))
  const { title, severity, campaign_name, expected_lost } = first
  return {
    subject: title,
    lines: [
      [signalGroupLabels[severity], campaign_name].filter(Boolean).join(' · '),
      describeSignal(first).text,
      expected_lost ? `${describeLostRange(expected_lost)}.` : '',
    ].filter(Boolean),
    groups: [],
    url: linkToSignal(context, first),
  }
}

const linkToSignal = ({ settings }: AppContext, { id }: MessageSignal) => `${settings.PUBLIC_URL}/?signal=${id}`

/** Composes the daily message: open signals and due tasks. An overdue task is listed once, as a task. */
export function composeDigest(
  context: AppContext,
  open: readonly MessageSignal[],
  tasks: readonly MessageTask[],
  day: string,
): MessageDraft {
  const url = context.settings.PUBLIC_URL
  const taskIds = new Set(tasks.map(({ id }) => String(id)))
  const signals = open
    .filter(({ kind, subject_id }) => kind !== 'task_overdue' || !taskIds.has(subject_id))
    .toSorted((a, b) => (b.expected_lost?.mid ?? 0) - (a.expected_lost?.mid ?? 0) || b.id - a.id)
  const groupOf = (severity: SignalSeverity): NoticeGroup => ({
    title: signalGroupLabels[severity],
    items: signals
      .filter((signal) => signal.severity === severity)
      .map((signal) => ({ ...describeSignal(signal), url: linkToSignal(context, signal) })),
  })
  const due: NoticeGroup = {
    title: 'Tasks due',
    items: tasks.map(({ note, date, campaign_name }) => ({
      title: `${cutText(note, 200)}${campaign_name ? ` (${campaign_name})` : ''}`,
      text: date < day ? `Overdue since ${formatDueDay(date, day)}` : 'Due today',
      url: `${url}/#my-tasks`,
    })),
  }
  const groups = [groupOf('severe'), groupOf('warning'), due, groupOf('note')]
  return { subject: composeSubject(signals, tasks.length), lines: [], url, ...limitItems(groups) }
}

/** Says what matters most: `3 urgent: Copper Garage Doors, Cascade Roofing +1; 1 task due`. */
function composeSubject(signals: readonly MessageSignal[], taskCount: number): string {
  const tasks = taskCount > 0 ? [`${countOf(taskCount, 'task')} due`] : []
  const severity = signalSeverities.find((one) => signals.some((signal) => signal.severity === one))
  if (severity === undefined || severity === 'note')
    return `Today: ${[...(signals.length > 0 ? [countOf(signals.length, 'open issue')] : []), ...tasks].join(', ')}`
  const first = signals.filter((signal) => signal.severity === severity)
  const names = [...new Set(first.map(nameSubject))]
  const more = names.length > maxNames ? ` +${names.length - maxNames}` : ''
  const about = `${first.length} ${severity === 'severe' ? 'urgent' : 'soon'}: ${names.slice(0, maxNames).join(', ')}${more}`
  return [about, ...tasks].join('; ')
}

/** The agency itself tells a reader nothing; what happened to it does. */
const nameSubject = ({ campaign_name, subject_type, subject_label, title }: MessageSignal) =>
  campaign_name ?? (subject_type === 'agency' ? title : subject_label)

/** The note of a task, which is in its title, may be a sentence. */
function describeSignal({ title, campaign_name, evidence }: MessageSignal): { title: string; text: string } {
  const name = campaign_name && !title.includes(campaign_name) ? ` (${campaign_name})` : ''
  const sentences = [String(evidence.says ?? ''), ...describeChecks(evidence).map(({ text }) => text)]
  return { title: `${title.replace(/\.$/, '')}${name}`, text: sentences.join(' ').trim() }
}

/** Keeps the first items of all groups, and says how many more there are. */
function limitItems(groups: NoticeGroup[]): { groups: NoticeGroup[] } {
  let room = maxItems
  const kept = groups.map(({ title, items }) => {
    const first = items.slice(0, room)
    room -= first.length
    return { title, items: first }
  })
  const all = groups.reduce((count, { items }) => count + items.length, 0)
  const rest = all > maxItems ? [{ title: `and ${all - maxItems} more`, items: [] }] : []
  return { groups: [...kept.filter(({ items }) => items.length > 0), ...rest] }
}

export function composeTask({ settings }: AppContext, { note, date, campaign_name }: MessageTask): MessageDraft {
  const today = getToday(settings.AGENCY_TIMEZONE)
  const due = date === today ? 'due today' : `due ${formatDueDay(date, today)}`
  const [firstLine = ''] = note.trim().split('\n')
  const title = cutText(firstLine, 80)
  const isWhole = title === note.trim()
  return {
    subject: `Task: ${title.replace(/\.$/, '')} (${due})`,
    lines: [
      ...(isWhole ? [] : [cutText(note, 500)]),
      `${due.replace('due', 'Due')}${campaign_name ? ` · ${campaign_name}` : ''}`,
    ],
    groups: [],
    url: `${settings.PUBLIC_URL}/#my-tasks`,
  }
}

export const toChatText = ({ subject, lines, groups, url }: MessageDraft) =>
  [
    subject,
    ...lines,
    ...groups.flatMap(({ title, items }) => [
      title,
      ...items.map((item) => [`${item.title}. ${item.text}`.trim(), item.url].join(' ')),
    ]),
    url,
  ].join('\n')

/** Renders a message as an email to this reader. Tasks are told also to those who have no settings of this. */
export async function renderDraft(
  { db, settings }: AppContext,
  { subject, lines, groups, url }: MessageDraft,
  reader: CurrentUser,
) {
  const { name } = await readAgency(db, settings)
  return renderNoticeEmail({
    about: name,
    title: subject,
    paragraphs: lines,
    groups,
    button: { label: `Open ${name}`, url },
    ...(watchesContract.read.allow(reader)
      ? {
          reason: 'You get this because of your notification settings.',
          settings: { label: 'Change what you get', url: `${settings.PUBLIC_URL}/profile#notifications` },
        }
      : { reason: 'You get this because a task was assigned to you.' }),
  })
}
