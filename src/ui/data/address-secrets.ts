/**
 * What an address brings that no one else may find in a history, a screenshot or a log: the token of a sign-in link, and the key of a
 * link to choose a password or confirm an email. An inline script takes them out of the address before the page loads anything.
 */
type AddressSecrets = { token?: string; key?: string }
declare global {
  interface Window {
    addressSecrets?: AddressSecrets
  }
}

/** Takes them out of the address. Its source text is inlined into the page, so it must not refer to anything outside itself. */
export function takeAddressSecrets() {
  const query = new URLSearchParams(location.search)
  const names = /^\/(reset|email)\/*$/.test(location.pathname) ? (['token', 'key'] as const) : (['token'] as const)
  for (const name of names) {
    const value = query.get(name)
    if (value === null) continue
    query.delete(name)
    window.addressSecrets = { ...window.addressSecrets, [name]: value }
  }
  if (window.addressSecrets)
    history.replaceState(null, '', `${location.pathname}${query.size > 0 ? `?${query}` : ''}${location.hash}`)
}

/** Returns a secret that the address of this page brought; null without one, also after a reload. */
export function readAddressSecret(name: keyof AddressSecrets): string | null {
  const secret = window.addressSecrets?.[name]
  return secret === undefined ? null : trimLink(secret)
}

/** Drops the end of a sentence that a program has taken for a part of a mailed link: keys are letters, digits, `-` and `_`. */
export const trimLink = (key: string): string => key.replace(/[^\w-]+$/, '')
