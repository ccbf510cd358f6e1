export { AddClientSiteButton } from './AddClientSite.tsx'
