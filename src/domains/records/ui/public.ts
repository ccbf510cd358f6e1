export { RecordLink } from './RecordLink.tsx'
export { SitePageLink } from './SitePageLink.tsx'
