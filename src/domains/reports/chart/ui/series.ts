import { addDays } from '#contract/days.ts'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { leadsAt, type Series } from '#domains/leads/list/ui/lead-links.ts'
import { monthTitle } from '#domains/reports/weekly-report/labels.ts'
import { shownDay } from '#ui/cells/days.ts'
import { bucketsOf, type Group } from '../buckets.ts'
import type { Chart } from '../contract.ts'

export const seriesTitles = { confirmed: 'Confirmed Leads', missed: 'Missed Leads' } as const
export const bothSeries = ['confirmed', 'missed'] as const satisfies Series[]

type Value = { number: number; address: string | null }
/** A week or month as it is drawn: what it is called, and its two values with where they lead to. */
export type Point = Record<Series, Value> & { date: string; title: string; short: string }

type Asked = { group: Group; from: string; to: string }

export function pointsOf(me: CurrentUser, { statistic, campaign_ids }: Chart, { group, from, to }: Asked): Point[] {
  return bucketsOf(group, from, to).map((bucket, index) => {
    const value = (series: Series): Value => {
      const number = statistic[series][index] ?? 0
      const address = number > 0 ? leadsAt(me, { ...bucket, campaignIds: campaign_ids }, series) : null
      return { number, address }
    }
    const { date } = bucket
    return { date, ...titles(group, date), confirmed: value('confirmed'), missed: value('missed') }
  })
}

function titles(group: Group, date: string) {
  if (group === 'month') {
    const title = monthTitle({ month: Number(date.slice(5, 7)), year: Number(date.slice(0, 4)) })
    return { title, short: title }
  }
  return { title: `${shownDay(date)} – ${shownDay(addDays(date, 6))}`, short: shownDay(date) ?? date }
}

/** Round numbers from 0 to at least the highest value, at most six of them. */
export function ticksFor(highest: number): number[] {
  const most = Math.max(highest, 4)
  const power = 10 ** Math.floor(Math.log10(most / 5))
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => most / size <= 5) ?? power * 10)
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step)
}
