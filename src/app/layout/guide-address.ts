/** Where the guide stands; the server's setting may lead the menu elsewhere. */
export const guidePath = '/user-guide'

/** The guide's name for a screen: `/leads/archive` is `leads-archive`. */
export const guideKey = (screen: string) => screen.replace(/^\/|\/$/g, '').replaceAll('/', '-') || 'home'

/** The guide opened at the page about this screen. */
export const guideAddress = (screen: string) => `${guidePath}?page=${guideKey(screen)}`
