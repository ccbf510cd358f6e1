import { setTimeout as pause } from 'node:timers/promises'
import type { AgencyBrand } from '#domains/agency/contract.ts'
import { buildColorProperties, readAgencyBrand } from '#domains/agency/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { AppSettings } from '#domains/app-settings.ts'

/** Pages that people open without a session; the others are named once they are loaded. */
const guestPageTitles: readonly (readonly [path: RegExp, title: string])[] = [
  [/^\/report\//, 'Report'],
  [/^\/report-unsubscribe\//, 'Unsubscribe'],
  [/^\/statement\//, 'Statement'],
  [/^\/rate(\/|$)/, 'Rate Lead'],
  [/^\/login$/, 'Administrator Login'],
  [/^\/login\/oidc$/, 'Single sign-on'],
  [/^\/client-login$/, 'Client Login'],
  [/^\/email$/, 'Confirm your email'],
  [/^\/forgot$/, 'Forgot password'],
  [/^\/reset$/, 'Choose a password'],
]
/** A page does not wait longer for the agency's name. */
const longestReadMs = 1000

/** Returns a function that names a page after the agency, and has the configuration that it needs before sign-in. */
export function createPageHeads({ db, settings }: AppContext) {
  let look = buildAgencyLook({ name: settings.AGENCY_NAME, color: settings.AGENCY_COLOR, logo: null })
  return async (path: string) => {
    const stop = new AbortController()
    const stored = readAgencyBrand(db, settings).then(buildAgencyLook)
    const late = pause(longestReadMs, null, { ref: false, signal: stop.signal }).catch(() => null)
    // Without a database the page still comes, with the look of before.
    look = (await Promise.race([stored.catch(() => null), late])) ?? look
    stop.abort()
    const [, title] = guestPageTitles.find(([pattern]) => pattern.test(path)) ?? []
    return {
      title: title ? `${title} · ${look.agencyName}` : look.agencyName,
      environment: { ...buildPageEnvironment(settings), ...look },
    }
  }
}

/** The colors are computed here: the sign-in needs them, and the first files have no room for the computing. */
const buildAgencyLook = ({ name, color, logo }: AgencyBrand) => ({
  agencyName: name,
  agencyLogo: logo,
  agencyColors: buildColorProperties(color),
})

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
