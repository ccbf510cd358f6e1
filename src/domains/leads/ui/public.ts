export { buildLeadsUrl, type LeadSeries } from '../list/ui/lead-links.ts'
export { UndoRuleButton } from './UndoRuleButton.tsx'
export { WaitingLeads } from './WaitingLeads.tsx'
