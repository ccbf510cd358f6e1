import { z } from 'zod'
import { queryListOf } from '#contract/fields.ts'

/**
 * Items belong to campaigns or teams, whose ids overlap. A key tells them apart: `campaign-3`, `team-2`, as `GET
 * campaigns/all?with_teams=1` returns them. A bare number is a campaign.
 */
const ownerKeyPattern = /^(campaign|team)-[1-9]\d{0,8}$/
const toOwnerKey = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)) ? `campaign-${value}` : value

const ownerKeySchema = (sentence: string) => z.string(sentence).regex(ownerKeyPattern, sentence)
const toOwnerKeys = (list: unknown) => (Array.isArray(list) ? list.map(toOwnerKey) : list)

export const ownerKeyField = (sentence: string) => z.preprocess(toOwnerKey, ownerKeySchema(sentence))
export const ownerKeysField = (sentence: string) =>
  z.preprocess(
    toOwnerKeys,
    z.array(ownerKeySchema(sentence), sentence).max(500, 'At most 500 campaigns and teams').transform(dedupeKeys),
  )
export const queryOwnerKeys = queryListOf(ownerKeyField('Not a campaign or team'))

const dedupeKeys = (keys: string[]) => [...new Set(keys)]

type ItemOwner = { campaign_id: number | null; team_id: number | null }

export function parseOwnerKey(key: string): ItemOwner {
  const id = Number(key.slice(key.indexOf('-') + 1))
  return key.startsWith('team-') ? { campaign_id: null, team_id: id } : { campaign_id: id, team_id: null }
}
export const formatOwnerKey = ({ campaign_id, team_id }: ItemOwner): string =>
  team_id === null ? `campaign-${campaign_id}` : `team-${team_id}`

/** Splits keys into campaign ids and team ids. */
export function splitOwnerKeys(keys: readonly string[]): { campaigns: number[]; teams: number[] } {
  const each = keys.map(parseOwnerKey)
  return {
    campaigns: each.flatMap(({ campaign_id }) => campaign_id ?? []),
    teams: each.flatMap(({ team_id }) => team_id ?? []),
  }
}
