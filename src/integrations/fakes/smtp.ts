import { setTimeout as pause } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { startListening } from './local-server.ts'

/** The delivery reports that the sender requests. */
type DsnRequest = { ret: string | null; envid: string | null; notify: (string[] | null)[] }

/** An email as received: the envelope's recipients, the source, and the parsed message. */
export type ReceivedEmail = { to: string[]; raw: string; email: Email; at: Date; dsn: DsnRequest }

/**
 * How the sink treats emails: accepts them; refuses them at the recipient or after reading; defers them; or, after reading, never
 * responds or hangs up.
 */
type SinkBehavior = 'take' | 'refuse recipient' | 'refuse' | 'defer' | 'hang' | 'hang up'

export type SmtpSink = {
  url: string
  letters: ReceivedEmail[]
  manner: SinkBehavior
  /** Recipients that it does not know. */
  unknown: Set<string>
  /** Recipients that it defers. */
  busy: Set<string>
  /** Passwords that it refuses; any other signs in. */
  wrongPasswords: Set<string>
  /** Milliseconds between reading an email and the response. */
  thinks: number
  /** The number of emails that were read to the end, accepted or not. */
  read: number
  close(): Promise<void>
}

/** Starts a mail server that delivers nothing, for the tests and the demo. */
export async function startSmtpSink({ port = 0, onLetter = (_letter: ReceivedEmail) => {} } = {}): Promise<SmtpSink> {
  const sessions = new Set<{ destroy(): void }>()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    hideDSN: false,
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      sink.wrongPasswords.has(password ?? '')
        ? done(createSmtpError(535, '5.7.8 Authentication failed'))
        : done(null, { user: 'anyone' }),
    disableReverseLookup: true,
    logger: false,
    onRcptTo: ({ address }, _session, done) =>
      done(
        sink.manner === 'refuse recipient' || sink.unknown.has(address)
          ? createSmtpError(550, 'No such mailbox')
          : sink.busy.has(address)
            ? createSmtpError(450, 'Try again later')
            : null,
      ),
    onData: (stream, session, done) => {
      receiveEmail(stream, session).then(
        async (letter) => {
          sink.read += 1
          if (sink.thinks > 0) await pause(sink.thinks)
          if (sink.manner === 'take') {
            sink.letters.push(letter)
            onLetter(letter)
            done()
          } else if (sink.manner === 'refuse') done(createSmtpError(554, 'Not wanted here'))
          else if (sink.manner === 'defer') done(createSmtpError(451, 'Later, please'))
          else if (sink.manner === 'hang up') for (const session of sessions) session.destroy()
        },
        (error) => done(error),
      )
    },
  })
  server.on('error', () => {}) // a sender that disconnects is not an error
  server.server.on('connection', (socket) => {
    sessions.add(socket)
    socket.on('close', () => sessions.delete(socket))
  })
  const sink: SmtpSink = {
    url: `smtp://127.0.0.1:${await startListening(server.server, port)}`,
    letters: [],
    manner: 'take',
    unknown: new Set(),
    busy: new Set(),
    wrongPasswords: new Set(),
    thinks: 0,
    read: 0,
    close: () => {
      for (const session of sessions) session.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return sink
}

async function receiveEmail(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<ReceivedEmail> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer) // a stream of bytes
  const raw = Buffer.concat(chunks).toString('utf8')
  return {
    to: session.envelope.rcptTo.map(({ address }) => address),
    raw,
    email: await PostalMime.parse(raw),
    at: new Date(),
    dsn: {
      ret: session.envelope.dsn?.ret ?? null,
      envid: session.envelope.dsn?.envid ?? null,
      notify: session.envelope.rcptTo.map(({ dsn }) => dsn?.notify ?? null),
    },
  }
}

const createSmtpError = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })
