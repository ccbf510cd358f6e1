import { z } from 'zod'
import { signedIn } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { flag, id } from '#contract/fields.ts'

export { defaultSchedule, type Schedule, schedule } from './schedule.ts'

/**
 * A campaign as pickers show it. Everyone gets id, name and archived of the campaigns they may see; admins also the
 * client; the rest only those whose pages show it. Money is never here.
 */
export const pickedCampaign = z.object({
  id,
  name: z.string(),
  archived: flag,
  client: z.object({ id, name: z.string() }).optional(),
  categories: z.array(z.object({ id, name: z.string(), color: z.string() })).optional(),
  is_ppc: flag.optional(),
  leads_target: z.int().nullable().optional(),
  trouble_state: z.int().optional(),
  notes: z.string().optional(),
})
export type PickedCampaign = z.infer<typeof pickedCampaign>

export const campaigns = {
  all: endpoint('GET /campaigns/all', {
    allow: signedIn,
    about: 'The campaigns one may see, by name, for pickers.',
    query: z.object({ with_teams: z.unknown().optional(), cache: z.unknown().optional() }),
    answers: z.array(pickedCampaign),
  }),
}
