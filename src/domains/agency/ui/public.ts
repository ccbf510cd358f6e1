export { AgencyButton } from './AgencyButton.tsx'
export { AgencyHead } from './AgencyHead.tsx'
