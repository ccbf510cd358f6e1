import type { AppSettings } from '#domains/app-settings.ts'

/** Returns the configuration that the page needs before sign-in. */
export const buildPageEnvironment = (settings: AppSettings) => ({
  environment: settings.APP_ENV,
  clientLoginUrl: settings.CLIENT_LOGIN_URL ?? null,
  singleSignOn: settings.OIDC_ISSUER !== undefined,
  userGuideUrl: settings.USER_GUIDE_URL ?? null,
  resourcesUrl: settings.RESOURCES_URL ?? null,
  timezone: settings.AGENCY_TIMEZONE,
  mapTileUrl: settings.MAP_TILE_URL,
  mapAttribution: settings.MAP_ATTRIBUTION,
})
