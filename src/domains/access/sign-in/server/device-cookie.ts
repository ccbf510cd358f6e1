import { isEqualText, randomToken, type SecretBox } from '#core/secrets/secrets.ts'

const cookieName = 'leadline_device'
const cookieSeconds = 180 * 24 * 60 * 60

type CookieContext = { secrets: SecretBox; settings: { PUBLIC_URL: string } }

/**
 * A browser in which a person has signed in knows it by a signed cookie, which opens nothing: its wrong tries are counted by
 * themselves, so that strangers who guess at an account do not lock out its owner. A new password ends it.
 */
export function createDeviceCookie({ secrets, settings }: CookieContext, user: DeviceUser): string {
  const device = randomToken(128)
  const value = `${user.id}.${device}.${signDevice(secrets, user, device)}`
  const secure = settings.PUBLIC_URL.startsWith('https:') ? '; Secure' : ''
  return `${cookieName}=${value}; Path=/api/user/login; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Strict${secure}`
}

type DeviceUser = { id: number; password_hash: string }

/** Returns the account by which this browser's tries are counted; null where it never signed in as this user. */
export function readDeviceAccount(secrets: SecretBox, header: string | undefined, user: DeviceUser): string | null {
  for (const pair of (header ?? '').split(/; */)) {
    const [id, device, signature] = pair.startsWith(`${cookieName}=`)
      ? pair.slice(cookieName.length + 1).split('.')
      : []
    if (id === String(user.id) && device && signature && isEqualText(signature, signDevice(secrets, user, device)))
      // The blank keeps it apart from usernames, which are trimmed where they are typed.
      return ` device ${device} of ${user.id}`
  }
  return null
}

const signDevice = (secrets: SecretBox, { id, password_hash }: DeviceUser, device: string) =>
  secrets.sign(`device ${device} of user ${id} with ${password_hash}`)
