export { claimHost, extendHostClaim, releaseHost, waitForHost } from './checks/server/host-claims.ts'
export { clientSitesImport } from './client/server/import-rows.ts'
