/** Where the guide stands; the server's setting may lead the menu elsewhere. */
export const guidePath = '/user-guide'

/** The guide's name for a screen: `/leads/archive` is `leads-archive`. */
export const getGuideKey = (screen: string) => screen.replace(/^\/|\/$/g, '').replaceAll('/', '-') || 'home'

/** The guide opened at the page about this screen. */
export const buildGuideUrl = (screen: string) => `${guidePath}?page=${getGuideKey(screen)}`
