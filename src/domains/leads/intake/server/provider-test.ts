import { isObject } from '#contract/is-object.ts'
import { readYesNo } from '#domains/leads/model/provider-words.ts'
import { openJson } from '../../custom-sources/body-paths.ts'

/** Returns which test of a provider a body is, as the reason why it makes no lead; null if it is none. */
export function findProviderTest(body: unknown): string | null {
  let [isFacebooks, isLinkedIns, isMarked, isGoogles] = [false, false, false, false]
  visitValues(body, (key, value) => {
    isFacebooks ||= typeof value === 'string' && isFacebookDummy(value)
    isLinkedIns ||= key === 'testLead' && readYesNo(value) === true
    // Of GoHighLevel's voice AI; a form may ask for a trial call.
    isMarked ||=
      (/^is_?test(?:_?lead)?$/i.test(key) && readYesNo(value) === true) || (key === 'trialCall' && value === true)
    isGoogles ||=
      /^(?:user_?column_?data|google_?key|gcl_?id|lead_?form_?submission_?fields)$/i.test(key) || key === 'is_test'
  })
  if (isFacebooks) return 'A test from Facebook'
  if (isLinkedIns) return 'A test from LinkedIn'
  if (isMarked) return isGoogles ? 'A test from Google' : 'A test from its sender'
  return null
}

/** Returns whether a value is what Facebook's Lead Ads testing tool fills into every question, also as HTML or without its brackets. */
export const isFacebookDummy = (text: string): boolean =>
  /(?:^|<|&lt;|&#0*60;)\s*test\s+lead:\s*dummy\s+data\s+for\b/i.test(text)

const maxDepth = 20

/** Visits every value of a body, however deep, the elements of a list with an empty key; a text that is JSON is visited as JSON. */
function visitValues(body: unknown, visit: (key: string, value: unknown) => void, depth = 0): void {
  if (depth > maxDepth || body === null || body === undefined) return
  const inner = openJson(body)
  if (!Array.isArray(inner) && !isObject(inner)) return
  for (const [key, value] of Object.entries(inner)) {
    visit(Array.isArray(inner) ? '' : key, value)
    visitValues(value, visit, depth + 1)
  }
}
