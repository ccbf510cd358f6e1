/** How a user is notified of a signal. */
export const watchChannels = ['mail', 'webhook', 'none'] as const
export type WatchChannel = (typeof watchChannels)[number]

/** When a user is notified: as the signal opens, or once a day. */
export const watchDigests = ['at_once', 'daily'] as const
type WatchDigest = (typeof watchDigests)[number]

/** The hour of the daily digest, in the watch's time zone. */
export const digestHour = 8

export const watchChannelLabels: Record<WatchChannel, string> = {
  mail: 'Email',
  webhook: 'Webhook',
  none: 'Do not notify me',
}
export const watchDigestLabels: Record<WatchDigest, string> = {
  at_once: 'At once',
  daily: `Once a day, at ${digestHour}:00`,
}
