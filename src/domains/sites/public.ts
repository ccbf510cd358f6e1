export { checkSiteNow } from './checks/server/check-now.ts'
export { claimHost, extendHostClaim, releaseHost, waitForHost } from './checks/server/host-claims.ts'
export { neverLiveSql } from './checks/server/serializer.ts'
export { lookUpDomainNow } from './registrations/server/look-up-domains.ts'
