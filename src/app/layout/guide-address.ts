/** The guide's address; a server setting may point the menu elsewhere. */
export const guidePath = '/user-guide'

/** Returns the guide's key for a screen: `/leads/archive` is `leads-archive`, and `/lead/$id` or `/lead/7` is `lead`. */
export const getGuideKey = (screen: string) =>
  screen
    .replace(/\/(\$\w+|\d+)(?=\/|$)/g, '')
    .replace(/^\/|\/$/g, '')
    .replaceAll('/', '-') || 'home'

/** Returns the address of the guide's page about this screen. */
export const buildGuideUrl = (screen: string) => `${guidePath}?page=${getGuideKey(screen)}`
