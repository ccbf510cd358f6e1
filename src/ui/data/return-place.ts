/** Where someone was going, or was, when they had to sign in. In the storage of this tab: no address can lead them elsewhere. */
type KeptPlace = { path: string; userId: number | null }

const storageKey = 'leadline.place'

/** Keeps a path with its query for after the sign-in: of a user whose session ended, or null for a link opened by a guest. */
export function keepPlace(path: string, userId: number | null) {
  const place: KeptPlace = { path, userId }
  sessionStorage.setItem(storageKey, JSON.stringify(place))
}

export const forgetPlace = () => sessionStorage.removeItem(storageKey)

/** Returns the page that was kept, and forgets it; Home if there is none, or if it was another user's. */
export function takePlace(userId: number | undefined): string {
  const kept = sessionStorage.getItem(storageKey)
  forgetPlace()
  if (kept === null) return '/'
  const place = JSON.parse(kept) as KeptPlace // written by `keepPlace`
  return place.userId === null || place.userId === userId ? readOwnPath(place.path) : '/'
}

/** Returns the path if it stays on this site; Home for one that a browser reads as another host, such as `//evil.example`. */
function readOwnPath(path: string): string {
  const { origin, pathname, search, hash } = new URL(path, location.origin)
  return origin === location.origin && !pathname.startsWith('//') ? pathname + search + hash : '/'
}
