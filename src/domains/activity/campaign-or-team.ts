import { z } from 'zod'
import { queryEach } from '#contract/fields.ts'

/**
 * Items are written for campaigns and for teams, whose ids overlap. A key tells them apart: `campaign-3`, `team-2`, as
 * `GET campaigns/all?with_teams=1` answers them. A bare number is a campaign.
 */
const shape = /^(campaign|team)-[1-9]\d{0,8}$/
const asKey = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)) ? `campaign-${value}` : value

const key = (sentence: string) => z.string(sentence).regex(shape, sentence)
const eachAsKey = (list: unknown) => (Array.isArray(list) ? list.map(asKey) : list)

export const campaignOrTeam = (sentence: string) => z.preprocess(asKey, key(sentence))
export const campaignsAndTeams = (sentence: string) =>
  z.preprocess(eachAsKey, z.array(key(sentence), sentence).max(500, 'At most 500 campaigns and teams').transform(once))
export const queryCampaignsAndTeams = queryEach(campaignOrTeam('Not a campaign or team'))

const once = (keys: string[]) => [...new Set(keys)]

type OfOne = { campaign_id: number | null; team_id: number | null }

export function ofKey(key: string): OfOne {
  const id = Number(key.slice(key.indexOf('-') + 1))
  return key.startsWith('team-') ? { campaign_id: null, team_id: id } : { campaign_id: id, team_id: null }
}
export const keyOf = ({ campaign_id, team_id }: OfOne): string =>
  team_id === null ? `campaign-${campaign_id}` : `team-${team_id}`

/** The ids behind the keys, sorted out. */
export function sortedOut(keys: readonly string[]): { campaigns: number[]; teams: number[] } {
  const each = keys.map(ofKey)
  return {
    campaigns: each.flatMap(({ campaign_id }) => campaign_id ?? []),
    teams: each.flatMap(({ team_id }) => team_id ?? []),
  }
}
