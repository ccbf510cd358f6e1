import { setTimeout as pause } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { startListening } from './local-server.ts'

/** Which delivery reports the sender asks for. */
type DsnRequest = { ret: string | null; envid: string | null; notify: (string[] | null)[] }

/** A letter as it arrived: the envelope's recipients, the bytes, and what they say. */
export type ReceivedEmail = { to: string[]; raw: string; email: Email; at: Date; dsn: DsnRequest }

/**
 * How the sink treats what it is given: it takes letters; refuses or defers them for good reasons of its own, by the recipient or
 * after reading them; reads one to its end and then never answers, or hangs up.
 */
type SinkBehavior = 'take' | 'refuse recipient' | 'refuse' | 'defer' | 'hang' | 'hang up'

export type SmtpSink = {
  url: string
  letters: ReceivedEmail[]
  manner: SinkBehavior
  /** How many milliseconds it takes over a letter that it has read, before it answers. */
  thinks: number
  /** How many letters were read to their end, taken or not. */
  read: number
  close(): Promise<void>
}

/** A mail server that keeps everything to itself: what the tests and the demo send to. */
export async function startSmtpSink({ port = 0, onLetter = (_letter: ReceivedEmail) => {} } = {}): Promise<SmtpSink> {
  const sessions = new Set<{ destroy(): void }>()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    hideDSN: false,
    // Whoever signs in is believed.
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(null, { user: 'anyone' }),
    disableReverseLookup: true,
    logger: false,
    onRcptTo: (_address, _session, done) =>
      done(sink.manner === 'refuse recipient' ? createSmtpError(550, 'No such mailbox') : null),
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
  server.on('error', () => {}) // a sender that dies is no matter of ours
  server.server.on('connection', (socket) => {
    sessions.add(socket)
    socket.on('close', () => sessions.delete(socket))
  })
  const sink: SmtpSink = {
    url: `smtp://127.0.0.1:${await startListening(server.server, port)}`,
    letters: [],
    manner: 'take',
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
