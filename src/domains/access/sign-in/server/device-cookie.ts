import { isEqualText, randomToken, type SecretBox } from '#core/secrets/secrets.ts'

const cookieName = 'leadline_device'
const cookieSeconds = 180 * 24 * 60 * 60

type CookieContext = { secrets: SecretBox; settings: { PUBLIC_URL: string } }

/**
 * Creates a signed cookie that marks a browser in which the person has signed in. The cookie grants no access: it only
 * gives the browser a failure count of its own, so that strangers who guess passwords do not lock out the owner. A new
 * password invalidates it.
 */
export function createDeviceCookie({ secrets, settings }: CookieContext, user: DeviceUser): string {
  const device = randomToken(128)
  const value = `${user.id}.${device}.${signDevice(secrets, user, device)}`
  const secure = settings.PUBLIC_URL.startsWith('https:') ? '; Secure' : ''
  return `${cookieName}=${value}; Path=/api/user; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Strict${secure}`
}

type DeviceUser = { id: number; password_hash: string }

/** Returns the account name under which this browser's failures count: its own, or the username if it never signed in as this user. */
export function readDeviceAccount(
  secrets: SecretBox,
  header: string | undefined,
  user: DeviceUser & { username: string },
): string {
  for (const pair of (header ?? '').split(/; */)) {
    const [id, device, signature] = pair.startsWith(`${cookieName}=`)
      ? pair.slice(cookieName.length + 1).split('.')
      : []
    if (id === String(user.id) && device && signature && isEqualText(signature, signDevice(secrets, user, device)))
      // The leading space keeps it distinct from usernames, which are trimmed.
      return ` device ${device} of ${user.id}`
  }
  return user.username
}

const signDevice = (secrets: SecretBox, { id, password_hash }: DeviceUser, device: string) =>
  secrets.sign(`device ${device} of user ${id} with ${password_hash}`)
