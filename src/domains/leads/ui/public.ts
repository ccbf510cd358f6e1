export { buildLeadsUrl, type LeadSeries } from '../list/ui/lead-links.ts'
export { LazyUndoRule } from './lazy-undo-rule.ts'
export { WaitingLeads } from './WaitingLeads.tsx'
