import type { AppSettings } from '#domains/app-settings.ts'

/**
 * Returns the Message-ID of what a row sends. It has the time at which the row was created, because ids are given out again
 * after a restore, and mailboxes drop a mail whose Message-ID they have.
 */
export const buildMessageId = ({ PUBLIC_URL }: Pick<AppSettings, 'PUBLIC_URL'>, name: string, createdAt: Date) =>
  `<${name}-${createdAt.getTime().toString(36)}@${new URL(PUBLIC_URL).hostname}>`
