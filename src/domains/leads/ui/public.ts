export { buildLeadsUrl, type LeadSeries } from '../list/ui/lead-links.ts'
export { WaitingLeads } from './WaitingLeads.tsx'
