import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'

export type EmailMessage = {
  to: string[]
  subject: string
  html: string
  text: string
  messageId: string
  headers?: Record<string, string>
  attachments?: { filename: string; contentType: string; content: Buffer }[]
}

/**
 * `refused`: the server said no for good, nothing was delivered. `uncertain`: it may have been. `deferred`: the server does not
 * want this letter now; `unreachable`: it was not even asked. Either time nothing was delivered and a later try may work.
 * `withdrawn`: the sender changed their mind at the last moment.
 */
export type DeliveryResult =
  /** `answer` is what the server said when it took the letter, such as the number in its queue. */
  | { outcome: 'sent'; answer?: string }
  | { outcome: 'refused' | 'uncertain' | 'deferred' | 'unreachable'; error: string }
  | { outcome: 'withdrawn' }

export type SmtpMailer = {
  /** Whether a mail server is configured; without one nothing is sent and mails say so. */
  connected: boolean
  /**
   * Hands one letter over. `handing` is asked when the server is ready for it and not a byte of it has gone out: it notes
   * that from now on the letter may arrive, or answers false to withdraw it.
   */
  send(letter: EmailMessage, handing: () => Promise<boolean>): Promise<DeliveryResult>
  close(): void
}

/** Longest handing over, all in all; each step has its own time-out as well. */
const sendTimeoutMs = 90_000

/** Speaks SMTP to the configured server. Times out rather than hangs. */
export function createMailer(settings: { SMTP_URL?: string | undefined; MAIL_FROM: string }): SmtpMailer {
  const { SMTP_URL: url, MAIL_FROM: from } = settings
  if (!url)
    return {
      connected: false,
      send: async () => ({ outcome: 'unreachable', error: mailerNotConnected }),
      close() {},
    }
  const { auth, ...options } = parseConnectionUrl(url)
  const open = new Set<SMTPConnection>()
  return {
    connected: true,
    send: async (letter, handing) => {
      const connection = new SMTPConnection({
        ...options,
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 20_000,
        dnsTimeout: 10_000,
      })
      open.add(connection)
      const clock = setTimeout(() => connection.close(), sendTimeoutMs)
      try {
        return await deliverEmail(connection, auth, from, letter, handing)
      } finally {
        clearTimeout(clock)
        connection.close()
        open.delete(connection)
      }
    },
    close: () => {
      for (const connection of open) connection.close()
    },
  }
}

export const mailerNotConnected = 'No mail server is connected (SMTP_URL)'

type SmtpAuth = ReturnType<typeof parseConnectionUrl>['auth']

async function deliverEmail(
  connection: SMTPConnection,
  auth: SmtpAuth,
  from: string,
  letter: EmailMessage,
  handing: () => Promise<boolean>,
): Promise<DeliveryResult> {
  const broken = rejectOnDisconnect(connection)
  const step = (begin: (ready: StepCallback) => void) => Promise.race([promisifyStep(begin), broken])
  const gate = { state: 'waiting' as 'waiting' | 'handing' | 'withdrawn' }
  try {
    const node = new MailComposer({ ...letter, from, disableFileAccess: true, disableUrlAccess: true }).compile()
    const bytes = await node.build()
    await step((ready) => connection.connect(ready))
    if (auth) await step((ready) => connection.login(auth, ready))
    // Read from when the server has said that it is ready for the message, not before.
    const message = Readable.from(
      (async function* () {
        gate.state = (await handing()) ? 'handing' : 'withdrawn'
        if (gate.state === 'withdrawn') throw new Error('withdrawn')
        yield bytes
      })(),
    )
    const envelope = { ...node.getEnvelope(), size: bytes.length, dsn: toDsnRequest(letter.messageId) }
    const { response } = await sendMessage(connection, envelope, message, broken)
    connection.quit()
    return { outcome: 'sent', answer: response }
  } catch (error) {
    return gate.state === 'withdrawn' ? { outcome: 'withdrawn' } : toDeliveryResult(error, gate.state === 'handing')
  }
}

/**
 * Before the message went out nothing can have arrived. Afterwards only the server's own answer to it tells: a connection that
 * breaks before that answer may have delivered or not.
 */
function toDeliveryResult(error: unknown, isHanding: boolean): DeliveryResult {
  const text = error instanceof Error ? error.message : String(error)
  const { code, responseCode, permanent } = error as { code?: string; responseCode?: number; permanent?: boolean } // nodemailer's
  const isOfLetter = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (isOfLetter && (permanent || responseCode === undefined)) return { outcome: 'refused', error: text }
  if (isOfLetter) return { outcome: 'deferred', error: text }
  return { outcome: isHanding ? 'uncertain' : 'unreachable', error: text }
}

/**
 * Asks a server that knows delivery status notifications (RFC 3461) to report a letter that fails or is late, under the letter's own id.
 * A server that does not know them is not asked.
 */
const toDsnRequest = (messageId: string) => ({
  ret: 'HDRS' as const,
  envid: messageId.replace(/[<>]/g, ''),
  notify: ['FAILURE', 'DELAY'],
})

type LetterEnvelope = Parameters<SMTPConnection['send']>[0]

const sendMessage = (connection: SMTPConnection, envelope: LetterEnvelope, message: Readable, broken: Promise<never>) =>
  Promise.race([
    new Promise<{ response: string }>((resolve, reject) =>
      connection.send(envelope, message, (error, info) => (error ? reject(error) : resolve(info))),
    ),
    broken,
  ])

type StepCallback = (error?: Error | null) => void
const promisifyStep = (begin: (ready: StepCallback) => void) =>
  new Promise<void>((resolve, reject) => begin((error) => (error ? reject(error) : resolve())))

/** Fails when the connection does, whichever step is waiting then. */
function rejectOnDisconnect(connection: SMTPConnection): Promise<never> {
  const broken = new Promise<never>((_, reject) => {
    connection.on('error', reject)
    connection.on('end', () => reject(new Error('The connection to the mail server was closed')))
  })
  broken.catch(() => {}) // one that ends when all is said is no news
  return broken
}
