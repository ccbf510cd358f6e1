import { readZone } from '#contract/read-date.ts'

/**
 * Separates a title from the time zone that it names, for cells that name none: `Submit Date (UTC)`, `Time (EST)`, `created_at_gmt`. Letters
 * other than UTC and GMT may be a word, and are a zone only in brackets.
 */
export function splitTitleZone(title: string): { bare: string; zone: string | null } {
  const [, before = '', inBrackets = ''] = /^(.+?)\s*[([]\s*([^()[\]]+?)\s*[)\]]$/.exec(title.trim()) ?? []
  if (inBrackets !== '' && readZone(inBrackets) !== undefined) return { bare: before, zone: inBrackets }
  const [zone] = utcPattern.exec(title) ?? []
  return zone === undefined ? { bare: title, zone: null } : { bare: title.replace(zone, ''), zone }
}

const utcPattern = /(?<![\p{L}\p{N}])(?:UTC|GMT)(?: ?[-+]\d\d?(?::?\d\d)?)?(?![\p{L}\p{N}])/iu
