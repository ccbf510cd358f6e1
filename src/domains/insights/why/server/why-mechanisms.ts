import type { EventFact } from '../../server/facts.ts'
import type { WhyLead } from './why-leads.ts'

/** How an event can affect leads: fewer come, they are hidden, or calls are missed. */
type CauseMechanism = {
  effect: 'drop' | 'hidden' | 'missed'
  /** Whether the event could affect a lead like this one. */
  touches: (event: EventFact, lead: WhyLead) => boolean
}

const isOfSite = ({ site }: EventFact, lead: WhyLead) => site === null || site === lead.site
const isOrganic = (event: EventFact, lead: WhyLead) => isOfSite(event, lead) && lead.channel === 'Google Organic'

export const causeMechanisms: Record<EventFact['event'], CauseMechanism> = {
  // Calls from Google Maps go on, because a listing does not need the site.
  site_offline: {
    effect: 'drop',
    touches: (event, lead) => isOfSite(event, lead) && (lead.type === 'Form' || lead.channel !== 'Google Maps'),
  },
  listing_suspended: {
    effect: 'drop',
    touches: (event, lead) => isOfSite(event, lead) && lead.channel === 'Google Maps',
  },
  link_lost: { effect: 'drop', touches: isOrganic },
  redirect_broken: { effect: 'drop', touches: isOrganic },
  note: { effect: 'drop', touches: () => true },
  keyword_added: { effect: 'hidden', touches: (event, lead) => lead.hiddenBy === event.title },
  hours_edited: { effect: 'missed', touches: (_, lead) => lead.type === 'Call' },
}
