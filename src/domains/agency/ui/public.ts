export { AgencyDialog } from './AgencyDialog.tsx'
export { AgencyHead } from './AgencyHead.tsx'
