import { leadProviders } from '#domains/leads/labels.ts'
import type { LegacyRow } from '#integrations/legacy/legacy-server.ts'
import { readText } from './legacy-values.ts'

/** Returns the provider of a lead and its number there; of a lead without one, its number in the old system. */
export function toLeadNumber(row: LegacyRow, source: string, oldId: string) {
  const named = readText(row, 'lead_s')?.trim().toLowerCase()
  const provider = leadProviders.find((one) => one.toLowerCase() === named)
  const number = readText(row, 'lead_id')
  if (provider && number !== null && number.length <= 200) return { lead_s: provider, lead_id: number }
  return { lead_s: 'Other' as const, lead_id: `${new URL(source).host}-${oldId}`.slice(0, 200) }
}
