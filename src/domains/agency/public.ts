export { readAgencyBrand, readEmailBrand } from './server/brand.ts'
export { readAgencyLogo } from './server/logo.ts'
