import { appConfig } from './environment.ts'

const clientKey = 'leadline.client'

/** Remembers in this browser whether a client signs in here: their session ends at their own login page. */
export function keepLoginPath(isClient: boolean) {
  if (isClient) localStorage.setItem(clientKey, '1')
  else localStorage.removeItem(clientKey)
}

/** Returns the login page of who used this browser last. */
export const getLoginPath = () => (localStorage.getItem(clientKey) ? getClientLoginPath() : '/login')

/** Clients have a login page here unless the agency has its own site for them, which the other page names. */
export const getClientLoginPath = () => (appConfig.clientLoginUrl ? '/login' : '/client-login')
