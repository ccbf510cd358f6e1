export { computeAgencyColors } from './colors.ts'
export { readAgencyBrand, readEmailBrand } from './server/brand.ts'
export { readAgencyLogo } from './server/logo.ts'
