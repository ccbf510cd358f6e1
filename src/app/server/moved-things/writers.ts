import type { KindWriters } from '#domains/moves/public.ts'
import { movedCallRailCompany } from './callrail-companies.ts'
import { movedCampaign, movedClient } from './clients-and-campaigns.ts'
import { movedLead } from './leads.ts'
import { movedListing } from './listings.ts'
import { movedCategory, movedNetworkCategory, movedTeam } from './named-things.ts'
import { movedNote } from './notes.ts'
import { movedClientSite, movedNetworkSite, movedRedirectDomain } from './sites.ts'
import { movedKeyword, movedSpammer } from './spam-rules.ts'
import { movedAdmin, movedLeadsHandler } from './staff.ts'

/** How each kind of thing of another system is written and taken back. In `app`, because it needs the writers of every domain. */
export const moveWriters: KindWriters = {
  network_category: movedNetworkCategory,
  category: movedCategory,
  team: movedTeam,
  client: movedClient,
  campaign: movedCampaign,
  client_site: movedClientSite,
  listing: movedListing,
  network_site: movedNetworkSite,
  redirect_domain: movedRedirectDomain,
  admin: movedAdmin,
  leads_handler: movedLeadsHandler,
  keyword: movedKeyword,
  spammer: movedSpammer,
  callrail_company: movedCallRailCompany,
  note: movedNote,
  lead: movedLead,
}
