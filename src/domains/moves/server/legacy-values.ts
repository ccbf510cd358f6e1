import { isCalendarDay } from '#contract/days.ts'
import { foldText } from '#contract/fold-text.ts'
import { isObject } from '#contract/is-object.ts'
import { readClock, readSureMoment } from '#contract/read-date.ts'
import { readSureNumber } from '#contract/read-number.ts'
import type { LegacyRow } from '#integrations/legacy/legacy-server.ts'

/** Readers of values that an old system sends: what is not of the kind that is asked for is null. */

export const readRecord = (row: LegacyRow, name: string): LegacyRow | null => {
  const value = row[name]
  return isObject(value) ? value : null
}

export const readRecords = (row: LegacyRow, name: string): LegacyRow[] => {
  const value = row[name]
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function readText(row: LegacyRow | null, name: string): string | null {
  const value = row?.[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

export function readNumber(row: LegacyRow, name: string): number | null {
  const value = row[name]
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string') return null
  return /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : readSureNumber(value)
}

/** 1, true and their texts; anything else is false. */
export const readFlag = (row: LegacyRow, name: string): boolean => {
  const value = row[name]
  return value === 1 || value === true || value === '1' || value === 'true'
}

/** `2026-11-27`, also of a moment; another form if it has only one meaning. */
export function readDay(row: LegacyRow, name: string): string | null {
  const text = readText(row, name) ?? ''
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [readSureMoment(text)?.day ?? '']
  return isCalendarDay(day) ? day : null
}

/** `14:30`, also of `2:30 PM`. */
export const readTime = (row: LegacyRow, name: string): string | null =>
  readClock(readText(row, name) ?? '')?.slice(0, 5) ?? null

/** A moment as ISO 8601 writes it; a text without a zone is UTC. */
export function readMoment(row: LegacyRow, name: string): Date | null {
  const [text, clock, zone] = isoMoment.exec(readText(row, name) ?? '') ?? []
  if (text === undefined) return null
  const moment = new Date(`${text.replace(' ', 'T')}${clock !== undefined && zone === undefined ? 'Z' : ''}`)
  return Number.isNaN(moment.getTime()) ? null : moment
}
const isoMoment = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** The id of another row: `campaign_id`, or `campaign: { id }`. */
export const readReference = (row: LegacyRow, name: string): string | null =>
  readText(row, `${name}_id`) ?? readText(readRecord(row, name), 'id')

/** What is compared of a name: as `foldText`, without the form of a company at its end. */
export const foldName = (name: string): string =>
  foldText(name)
    .replace(/[.,]/g, '')
    .replace(/(?: (?:inc|llc|co))+$/, '')
    .trim()
