import { openJson } from '../../custom-sources/body-paths.ts'
import { isBodyObject } from './parse-body.ts'

/** Returns which test of a provider a body is, as the reason why it makes no lead; null if it is none. */
export function findProviderTest(body: unknown): string | null {
  if (hasValue(body, (_, value) => typeof value === 'string' && isFacebookDummy(value))) return 'A test from Facebook'
  if (hasValue(body, (key, value) => key === 'testLead' && isYes(value))) return 'A test from LinkedIn'
  if (!hasValue(body, (key, value) => /^is_?test$/i.test(key) && isYes(value))) return null
  const isFromGoogle = hasValue(body, (key) => /^(user_column_data|google_key|gcl_?id)$/i.test(key))
  return isFromGoogle || hasValue(body, (key) => key === 'is_test') ? 'A test from Google' : 'A test from its sender'
}

/** Returns whether a value is what Facebook's Lead Ads testing tool fills into every question, also as HTML or without its brackets. */
export const isFacebookDummy = (text: string): boolean =>
  /(?:^|<|&lt;|&#0*60;)\s*test\s+lead:\s*dummy\s+data\s+for\b/i.test(text)

const isYes = (value: unknown) => value === true || value === 1 || /^\s*(true|1|yes)\s*$/i.test(String(value))

const maxDepth = 20

/** Looks at every value of a body, however deep; a text that is JSON is looked at as JSON. */
function hasValue(body: unknown, matches: (key: string, value: unknown) => boolean, depth = 0): boolean {
  if (depth > maxDepth || body === null || body === undefined) return false
  const inner = openJson(body)
  if (Array.isArray(inner)) return inner.some((one) => matches('', one) || hasValue(one, matches, depth + 1))
  if (!isBodyObject(inner)) return false
  return Object.entries(inner).some(([key, value]) => matches(key, value) || hasValue(value, matches, depth + 1))
}
