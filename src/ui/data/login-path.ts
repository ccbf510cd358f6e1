import { appConfig } from './environment.ts'

const clientKey = 'leadline.client'

/** Remembers in this browser whether a client signs in here: their session ends at their own login page. */
export function keepLoginPath(isClient: boolean) {
  if (isClient) localStorage.setItem(clientKey, '1')
  else localStorage.removeItem(clientKey)
}

/** Returns the login page of who used this browser last. Clients have one here unless the agency has its own site for them. */
export const getLoginPath = () =>
  !appConfig.clientLoginUrl && localStorage.getItem(clientKey) ? '/client-login' : '/login'
