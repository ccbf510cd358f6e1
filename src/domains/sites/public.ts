export { claimHost, extendHostClaim, releaseHost } from './checks/server/host-claims.ts'
export { clientSitesImport } from './client/server/import-rows.ts'
