export { AgencyButton } from './AgencyButton.tsx'
export { AgencyHead } from './AgencyHead.tsx'
export { AgencyNotice } from './AgencyNotice.tsx'
export { getAgencyLook } from './agency-look.ts'
