/** How a person is told of a signal. */
export const watchChannels = ['mail', 'webhook', 'none'] as const
export type WatchChannel = (typeof watchChannels)[number]

/** When: as it opens, or once a day. */
export const watchDigests = ['at_once', 'daily'] as const
export type WatchDigest = (typeof watchDigests)[number]

/** The hour of the daily digest, in the zone of the watch. */
export const digestHour = 8

export const watchChannelLabels: Record<WatchChannel, string> = {
  mail: 'Email',
  webhook: 'Webhook',
  none: 'Do not tell me',
}
export const watchDigestLabels: Record<WatchDigest, string> = {
  at_once: 'At once',
  daily: `Once a day, at ${digestHour}:00`,
}
