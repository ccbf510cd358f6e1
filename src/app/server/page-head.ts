import { setTimeout as pause } from 'node:timers/promises'
import { readAgencyBrand } from '#domains/agency/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { AppSettings } from '#domains/app-settings.ts'

/** Pages that people open without a session; the others are named once they are loaded. */
const guestPageTitles: readonly (readonly [path: RegExp, title: string])[] = [
  [/^\/report\//, 'Report'],
  [/^\/report-unsubscribe\//, 'Unsubscribe'],
  [/^\/statement\//, 'Statement'],
  [/^\/rate(\/|$)/, 'Rate Lead'],
  [/^\/login$/, 'Administrator Login'],
  [/^\/forgot$/, 'Forgot password'],
  [/^\/reset$/, 'Choose a password'],
]
/** A page does not wait longer for the agency's name. */
const longestReadMs = 1000

/** Returns a function that names a page after the agency, and has the configuration that it needs before sign-in. */
export function createPageHeads({ db, settings }: AppContext) {
  let agencyName = settings.AGENCY_NAME
  return async (path: string) => {
    const stop = new AbortController()
    const stored = readAgencyBrand(db, settings).then(({ name }) => name)
    const late = pause(longestReadMs, null, { ref: false, signal: stop.signal }).catch(() => null)
    // Without a database the page still comes, with the name of before.
    agencyName = (await Promise.race([stored.catch(() => null), late])) ?? agencyName
    stop.abort()
    const [, title] = guestPageTitles.find(([pattern]) => pattern.test(path)) ?? []
    return {
      title: title ? `${title} · ${agencyName}` : agencyName,
      environment: { ...buildPageEnvironment(settings), agencyName },
    }
  }
}

const buildPageEnvironment = (settings: AppSettings) => ({
  environment: settings.APP_ENV,
  clientLoginUrl: settings.CLIENT_LOGIN_URL ?? null,
  singleSignOn: settings.OIDC_ISSUER !== undefined,
  userGuideUrl: settings.USER_GUIDE_URL ?? null,
  resourcesUrl: settings.RESOURCES_URL ?? null,
  timezone: settings.AGENCY_TIMEZONE,
  mapTileUrl: settings.MAP_TILE_URL,
  mapAttribution: settings.MAP_ATTRIBUTION,
})
