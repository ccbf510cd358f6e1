import { Readable } from 'node:stream'
import parseAddresses from 'nodemailer/lib/addressparser'
import MailComposer from 'nodemailer/lib/mail-composer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { getErrorMessage } from '#contract/error-message.ts'
import { defaultSenderName } from './settings.ts'

export type EmailMessage = {
  to: string[]
  subject: string
  html: string
  text: string
  messageId: string
  /** The agency, as whose email it shows where MAIL_FROM has no name of its own. */
  sender?: string
  headers?: Record<string, string>
  attachments?: { filename: string; contentType: string; content: Buffer; cid?: string }[]
}

/**
 * `failed`: the server refused the email for good; nothing was delivered. `unknown`: the email may have been delivered.
 * `deferred`: the server does not accept the email now; `unreachable`: the email was not offered. In both cases nothing was
 * delivered, and a later try may work. `withdrawn`: the caller withdrew the email just before it was sent.
 */
type DeliveryResult =
  /**
   * `answer` is the server's response, such as the email's number in its queue; `refused` tells which recipients it did not take, and why.
   * `deferred` are those that it does not accept now: a later try may work.
   */
  | { outcome: 'sent'; answer?: string; refused?: string; deferred?: Deferred }
  | { outcome: 'failed' | 'unknown' | 'deferred' | 'unreachable'; error: string }
  | { outcome: 'withdrawn' }

type Deferred = { recipients: string[]; error: string }

/** A mail server's refusal in its own words, or why it cannot be reached. */
type MailFailure = { state: 'refused' | 'unreachable'; says: string }

export type MailServer = {
  /** With user and password, if it wants them. */
  url: string
  from: string
  /** Gets what became of each email that says something about the server. */
  record?: (outcome: { state: 'works' } | MailFailure) => Promise<void>
}

/** `Db` is where the server is looked up, such as in the caller's transaction. */
export type SmtpMailer<Db> = {
  /** Returns whether a mail server is connected now; without one every `send` is `unreachable`. */
  isConnected(db?: Db): Promise<boolean>
  /**
   * Sends an email. Calls `claim` when the server is ready and before the first byte is sent: it records that the email may be
   * delivered from now on, or returns false to withdraw it.
   */
  send(letter: EmailMessage, claim: () => Promise<boolean>): Promise<DeliveryResult>
  close(): void
}

/** Timeout for a whole delivery; each step has its own timeout as well. */
const sendTimeoutMs = 90_000
const stepTimeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  dnsTimeout: 10_000,
}

/** Creates a client of the SMTP server that is connected at each email. Every wait has a timeout. */
export function createMailer<Db>(findServer: (db?: Db) => Promise<MailServer | null>): SmtpMailer<Db> {
  const open = new Set<SMTPConnection>()
  return {
    isConnected: async (db) => (await findServer(db)) !== null,
    send: async (letter, claim) => {
      const server = await findServer()
      if (!server) return { outcome: 'unreachable', error: mailerNotConnected }
      const { auth, ...options } = parseConnectionUrl(server.url)
      const connection = new SMTPConnection({ ...options, ...stepTimeouts })
      open.add(connection)
      const clock = setTimeout(() => connection.close(), sendTimeoutMs)
      try {
        return await deliverEmail(connection, auth, server, letter, claim)
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

/** Signs in to a mail server without sending anything, and returns the user. Throws what the server or the network says. */
export async function signInToMailServer(url: string): Promise<string | null> {
  const { auth, ...options } = parseConnectionUrl(url)
  const connection = new SMTPConnection({ ...options, ...stepTimeouts })
  const clock = setTimeout(() => connection.close(), 30_000)
  const broken = rejectOnDisconnect(connection)
  try {
    await Promise.race([promisifyStep((ready) => connection.connect(ready)), broken])
    if (auth) await Promise.race([promisifyStep((ready) => connection.login(auth, ready)), broken])
    connection.quit()
    return auth?.user ?? null
  } finally {
    clearTimeout(clock)
    connection.close()
  }
}

export const mailerNotConnected = 'No mail server is connected: a super admin connects one under Connections'

type SmtpAuth = ReturnType<typeof parseConnectionUrl>['auth']

async function deliverEmail(
  connection: SMTPConnection,
  auth: SmtpAuth,
  { from, record }: MailServer,
  { sender, ...letter }: EmailMessage,
  claim: () => Promise<boolean>,
): Promise<DeliveryResult> {
  const broken = rejectOnDisconnect(connection)
  const step = (begin: (ready: StepCallback) => void) => Promise.race([promisifyStep(begin), broken])
  const gate = { state: 'waiting' as 'waiting' | 'claimed' | 'withdrawn' }
  try {
    const node = new MailComposer({
      ...letter,
      from: nameSender(from, sender),
      disableFileAccess: true,
      disableUrlAccess: true,
    }).compile()
    const bytes = await node.build()
    await step((ready) => connection.connect(ready))
    if (auth) await step((ready) => connection.login(auth, ready))
    // The stream is read only once the server is ready for the message.
    const message = Readable.from(
      (async function* () {
        gate.state = (await claim()) ? 'claimed' : 'withdrawn'
        if (gate.state === 'withdrawn') throw new Error('withdrawn')
        yield bytes
      })(),
    )
    const envelope = { ...node.getEnvelope(), size: bytes.length, dsn: toDsnRequest(letter.messageId) }
    const { response, rejectedErrors = [] } = await sendMessage(connection, envelope, message, broken)
    connection.quit()
    await record?.({ state: 'works' })
    return { outcome: 'sent', answer: response, ...sortRefusals(letter.to, rejectedErrors) }
  } catch (error) {
    if (gate.state === 'withdrawn') return { outcome: 'withdrawn' }
    const result = toDeliveryResult(error, gate.state === 'claimed', letter.to)
    // What is refused for good may be the email's own fault, and a mailbox that is full is no fault of the server.
    if (result.outcome !== 'failed' && !isOfMailbox(error)) await record?.(describeMailFailure(error))
    return result
  }
}

/** Returns the configured sender, in the agency's name unless its configuration has another name. */
function nameSender(from: string, agency: string | undefined) {
  const [parsed] = parseAddresses(from, { flatten: true })
  const isUnnamed = parsed && (parsed.name === '' || parsed.name === defaultSenderName)
  return agency !== undefined && isUnnamed ? { name: agency, address: parsed.address } : from
}

/**
 * Converts an error to a result. Before the message is sent, nothing can have been delivered. Afterwards only the server's response
 * is certain: if the connection breaks before it, the email may have been delivered.
 */
function toDeliveryResult(error: unknown, isClaimed: boolean, to: string[]): DeliveryResult {
  const text = joinReply(getErrorMessage(error))
  const { code, command, responseCode, permanent } = error as SMTPConnection.SMTPError & { permanent?: boolean } // nodemailer's fields
  const isOfLetter = code === 'EENVELOPE' || code === 'EMESSAGE'
  // What nodemailer itself refuses was never offered.
  if (isOfLetter && (permanent || command === 'API'))
    return { outcome: 'failed', error: text + explainLetters(to.find(hasOtherLetters)) }
  // An answer without a code says nothing for good, and nothing of a message that was sent already.
  if (isOfLetter && (responseCode !== undefined || code === 'EENVELOPE')) return { outcome: 'deferred', error: text }
  return { outcome: isClaimed ? 'unknown' : 'unreachable', error: text }
}

/** Whether the server defers the recipients because of their mailboxes or addresses (RFC 3463): it takes the emails of others. */
function isOfMailbox(error: unknown): boolean {
  const { command, response = '', responseCode } = error as SMTPConnection.SMTPError // nodemailer's fields
  return command === 'RCPT TO' && responseCode !== 421 && /^4\d\d[ -]4\.[12]\.\d/.test(response)
}

/** Puts an answer of several lines on one, with its code once: `550-5.1.1 No such`, `550 5.1.1 user`. */
const joinReply = (reply: string) =>
  reply
    .replace(/\b([2-5]\d\d)-(?=[^\n]*\n)/, '$1 ')
    .replace(/\r?\n[2-5]\d\d[ -](?:[245]\.\d{1,3}\.\d{1,3}(?: +|$))?/g, ' ')

/**
 * Returns what the mail server answered, which begins with its code, or why there was no answer. A code under 500 means that a later try
 * may succeed (RFC 5321), so it refuses no one.
 */
export function describeMailFailure(error: unknown): MailFailure {
  const { response, responseCode } = error as { response?: string; responseCode?: number } // nodemailer's fields
  if (responseCode !== undefined)
    return {
      state: responseCode >= 500 ? 'refused' : 'unreachable',
      says: `The mail server says: ${joinReply(response ?? String(responseCode))}`,
    }
  return { state: 'unreachable', says: `The mail server cannot be reached: ${getErrorMessage(error)}` }
}

/** Servers may take an email for some of its recipients only: the others are refused for good, or deferred. */
function sortRefusals(to: string[], errors: SMTPConnection.SMTPError[]): { refused?: string; deferred?: Deferred } {
  const later = errors.flatMap((error) => {
    const { recipient, responseCode } = error
    // As it was written: nodemailer changes the case of a domain.
    const address = to.find((one) => one.toLowerCase() === recipient?.toLowerCase())
    return address && (responseCode ?? 0) < 500 ? [{ address, error }] : []
  })
  const deferred = later.map(({ error }) => error)
  const refused = errors.filter((error) => !deferred.includes(error))
  return {
    ...(refused.length > 0 && { refused: describeRefusals(refused) }),
    ...(later.length > 0 && {
      deferred: { recipients: later.map(({ address }) => address), error: describeRefusals(deferred) },
    }),
  }
}

const describeRefusals = (errors: SMTPConnection.SMTPError[]) =>
  errors
    .map(
      ({ recipient, response = '' }) =>
        `Not delivered to ${recipient}: ${joinReply(response)}${explainLetters(recipient)}`,
    )
    .join('. ')

/** Servers without SMTPUTF8 (RFC 6531) refuse such an address as if it were written wrongly. */
const hasOtherLetters = (address = '') => /[^\p{ASCII}].*@/u.test(address)
const explainLetters = (address: string | undefined) =>
  hasOtherLetters(address) ? ` (${address} has letters before the @ that not every mail server takes)` : ''

/**
 * Requests delivery status notifications (RFC 3461) for an email that fails or is late, under the email's own id. Servers that do not
 * support them do not get the request.
 */
const toDsnRequest = (messageId: string) => ({
  ret: 'HDRS' as const,
  envid: messageId.replace(/[<>]/g, ''),
  notify: ['FAILURE', 'DELAY'],
})

type LetterEnvelope = Parameters<SMTPConnection['send']>[0]

const sendMessage = (connection: SMTPConnection, envelope: LetterEnvelope, message: Readable, broken: Promise<never>) =>
  Promise.race([
    new Promise<SMTPConnection.SentMessageInfo>((resolve, reject) =>
      connection.send(envelope, message, (error, info) => (error ? reject(error) : resolve(info))),
    ),
    broken,
  ])

type StepCallback = (error?: Error | null) => void
const promisifyStep = (begin: (ready: StepCallback) => void) =>
  new Promise<void>((resolve, reject) => begin((error) => (error ? reject(error) : resolve())))

/** Rejects when the connection fails, whichever step is waiting. */
function rejectOnDisconnect(connection: SMTPConnection): Promise<never> {
  const broken = new Promise<never>((_, reject) => {
    connection.on('error', reject)
    connection.on('end', () => reject(new Error('The connection to the mail server was closed')))
  })
  broken.catch(() => {}) // a connection that ends after the last step is not an error
  return broken
}
