import { foldText } from '#contract/fold-text.ts'
import { isObject } from '#contract/is-object.ts'
import { hasWord, personNames, toName } from '../../intake/server/person-fields.ts'
import {
  collectTitles,
  findElementKey,
  isConversation,
  joinLabel,
  joinParts,
  nameOptions,
  openJson,
  pickChoice,
  readAnswer,
  readField,
  toText,
} from '../body-paths.ts'
import { isTraceName, listWrittenKeys } from '../envelope.ts'

type Reading = { used: ReadonlySet<string>; titles: ReadonlyMap<string, string>; contact: Contact }
/** What is known of the visitor already. */
type Contact = Partial<Record<'lead_name' | 'lead_email' | 'lead_phone' | 'message', string | null>>

/**
 * Returns what the visitor wrote and no field of the lead has, one answer a line, for the message. `used` are the places of the values
 * that are mapped.
 */
export function describeRest(body: unknown, used: readonly (readonly string[])[], contact: Contact): string | null {
  const by = { used: new Set(used.map(toKey)), titles: collectTitles(body), contact }
  return [...new Set(describe(by, body, [], ''))].join('\n') || null
}

const toKey = (at: readonly string[]) => at.join('\0')
const maxDepth = 20

function describe(by: Reading, raw: unknown, at: readonly string[], label: string): string[] {
  if (by.used.has(toKey(at)) || at.length > maxDepth || isTraceName(cleanLabel(label))) return []
  const value = openJson(raw)
  if (Array.isArray(value) && value.some(isObject)) return describeList(by, value, at, label)
  if (isObject(value) && (at.length === 0 || joinParts(value) === null))
    return listWrittenKeys(value).flatMap((key) => {
      const answer = readField(key, value[key], by.titles)
      return answer
        ? describe(by, answer.value, [...at, key, answer.valueKey], answer.label)
        : describe(by, value[key], [...at, key], by.titles.get(key) ?? key)
    })
  const text = hasUsed(by, at) ? null : toText(value)
  return text === null || isRepeated(by, label, text) ? [] : [joinLabel(cleanLabel(label), text)]
}

const { first, last, name, email, phone, message } = personNames
const nameLabels: ReadonlySet<string> = new Set([first, last, name].flat())
const otherLabels: ReadonlySet<string> = new Set([email, phone, message].flat())

/** What forms ask a second time: `Confirm Email`. */
const repeated = /confirm|verify|repeat|re-?(?:enter|type)|\bagain\b/i

/** Some send a name or an address several times, whole and in parts. */
function isRepeated({ contact }: Reading, label: string, text: string): boolean {
  const fold = (one: string | null | undefined) => foldText(one?.trim() ?? '')
  const called = toName(label)
  if (nameLabels.has(called)) return hasWord(contact.lead_name ?? '', text)
  const others = [contact.lead_email, contact.lead_phone, contact.message]
  return (otherLabels.has(called) || repeated.test(label)) && others.some((one) => fold(one) === fold(text))
}

/** Answers take a line each; other lists, such as the rows of a repeated group, take one together. */
function describeList(by: Reading, list: unknown[], at: readonly string[], label: string): string[] {
  const isSpoken = isConversation(list)
  const answers = isSpoken || findElementKey(list) === null ? [] : list.map((item) => readAnswer(item, by.titles))
  if (answers.length > 0 && answers.every((answer) => answer !== null))
    return answers.flatMap((answer, index) => {
      const [value, choice] = pickChoice(answer.value)
      const place = [...at, String(index), answer.valueKey]
      const lines = describe(by, nameOptions(list[index], value), [...place, ...choice], answer.label)
      // Beside what was chosen, the visitor's own words.
      const own = choice.length > 0 && choice[0] !== 'other' && isObject(answer.value) ? answer.value.other : null
      return [...lines, ...describe(by, own, [...place, 'other'], answer.label)]
    })
  const rows = list.flatMap((item, index) => {
    if (!isObject(item) || Object.keys(item).join() === 'answer') return toText(item) ?? []
    if (isSpoken && item.role === 'system') return []
    const place = [...at, String(index)]
    const keys = listWrittenKeys(item).filter((key) => !by.used.has(toKey([...place, key])))
    return keys.flatMap((key) => describe(by, item[key], [...place, key], key)).join(', ') || []
  })
  return rows.length === 0 ? [] : [joinLabel(cleanLabel(label), rows.join('; '))]
}

/** A name or phone that is read in parts was not left over. */
const hasUsed = (by: Reading, at: readonly string[]) => {
  const start = `${toKey(at)}\0`
  return [...by.used].some((place) => place.startsWith(start))
}

/** `q3_roofType` of JotForm is `roofType`; the last name in brackets of a form's field is what it is called. */
const cleanLabel = (label: string) => (/\[([^[\]]+)\]$/.exec(label)?.[1] ?? label).replace(/^q\d+_(?=\S)/, '')
