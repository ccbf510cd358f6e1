export { buildLeadsUrl, type LeadSeries } from '../list/ui/lead-links.ts'
