import type { SignalSubjectType } from './labels.ts'

/** What nothing looks at when its signal is probed: it would be told again what was last seen. */
export const unprobedTypes: ReadonlySet<SignalSubjectType> = new Set([
  'ip',
  'host',
  'connection',
  'google_account',
  'redirect_domain',
  'link',
  'campaign',
  'rule',
])
