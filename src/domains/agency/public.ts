export { buildColorProperties, computeAgencyColors } from './colors.ts'
export { readAgency, readAgencyBrand, readEmailBrand, readReplyHeaders } from './server/brand.ts'
export { readAgencyLogo } from './server/logo.ts'
export { defaultAgencyName } from './server/settings.ts'
