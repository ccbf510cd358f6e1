import { foldText } from '#contract/fold-text.ts'
import type { LegacyRow } from '#integrations/legacy/legacy-server.ts'

/** Readers of values that an old system sends: what is not of the kind that is asked for is null. */

export const isRecord = (value: unknown): value is LegacyRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const readRecord = (row: LegacyRow, name: string): LegacyRow | null => {
  const value = row[name]
  return isRecord(value) ? value : null
}

export const readRecords = (row: LegacyRow, name: string): LegacyRow[] => {
  const value = row[name]
  return Array.isArray(value) ? value.filter(isRecord) : []
}

export function readText(row: LegacyRow | null, name: string): string | null {
  const value = row?.[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

export function readNumber(row: LegacyRow, name: string): number | null {
  const value = row[name]
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : null
}

/** 1, true and their texts; anything else is false. */
export const readFlag = (row: LegacyRow, name: string): boolean => {
  const value = row[name]
  return value === 1 || value === true || value === '1' || value === 'true'
}

/** `2026-11-27`, also of a moment. */
export function readDay(row: LegacyRow, name: string): string | null {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(readText(row, name) ?? '') ?? []
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : null
}

/** A moment; a text without a zone is UTC. */
export function readMoment(row: LegacyRow, name: string): Date | null {
  const text = readText(row, name)
  if (text === null) return null
  const zoned = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text
  const moment = new Date(zoned)
  return Number.isNaN(moment.getTime()) ? null : moment
}

/** The id of another row: `campaign_id`, or `campaign: { id }`. */
export const readReference = (row: LegacyRow, name: string): string | null =>
  readText(row, `${name}_id`) ?? readText(readRecord(row, name), 'id')

/** What is compared of a name: as `foldText`, without the form of a company at its end. */
export const foldName = (name: string): string =>
  foldText(name)
    .replace(/[.,]/g, '')
    .replace(/(?: (?:inc|llc|co))+$/, '')
    .trim()
