import nodemailer from 'nodemailer'
import type { Settings } from '#server/settings.ts'

export type Letter = {
  to: string[]
  subject: string
  html: string
  text: string
  messageId: string
  headers?: Record<string, string>
}
/** `refused`: the server said no for good, nothing was delivered. `uncertain`: it may have been. `unreachable`: nothing went out. */
export type Delivery = { outcome: 'sent' } | { outcome: 'refused' | 'uncertain' | 'unreachable'; error: string }
export type Mailer = {
  /** Whether a mail server is configured; without one nothing is sent and mails say so. */
  connected: boolean
  send(letter: Letter): Promise<Delivery>
  close(): void
}

/** Speaks SMTP to the configured server. Times out rather than hangs. */
export function createMailer(settings: Pick<Settings, 'SMTP_URL' | 'MAIL_FROM'>): Mailer {
  if (!settings.SMTP_URL)
    return {
      connected: false,
      send: async () => ({ outcome: 'unreachable', error: 'No mail server is configured (SMTP_URL)' }),
      close() {},
    }
  const transport = nodemailer.createTransport(settings.SMTP_URL, {
    from: settings.MAIL_FROM,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  } as object)
  return {
    connected: true,
    send: async (letter) => {
      try {
        await transport.sendMail({
          ...letter,
          from: settings.MAIL_FROM,
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        return { outcome: 'sent' }
      } catch (error) {
        return deliveryOf(error)
      }
    },
    close: () => transport.close(),
  }
}

/** An answer of 4xx or 5xx means nothing was delivered; a connection lost after the data was sent means nobody knows. */
function deliveryOf(error: unknown): Delivery {
  const text = error instanceof Error ? error.message : String(error)
  const { responseCode, command, code } = error as { responseCode?: number; command?: string; code?: string } // nodemailer's SMTPError
  if (responseCode !== undefined && responseCode >= 500) return { outcome: 'refused', error: text }
  if (responseCode !== undefined) return { outcome: 'unreachable', error: text }
  const before =
    code === 'ECONNECTION' ||
    code === 'EDNS' ||
    code === 'ECONNREFUSED' ||
    command === 'CONN' ||
    command === 'EHLO' ||
    command === 'HELO' ||
    command === 'AUTH'
  return { outcome: before ? 'unreachable' : 'uncertain', error: text }
}
