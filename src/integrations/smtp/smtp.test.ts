import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { startListening, stopListening } from '../fakes/local-server.ts'
import { startSmtpSink } from '../fakes/smtp.ts'
import { createMailer } from './smtp.ts'

const sink = await startSmtpSink()
afterAll(() => sink.close())

const letter = { subject: 'New lead', html: '<p>Lead</p>', text: 'Lead', messageId: '<1@agency.example>' }

test('the recipients that the server did not take are named beside its answer', async () => {
  sink.unknown.add('gone@client.example')
  const mailer = createMailer(async () => ({ url: sink.url, from: 'leads@agency.example' }))
  const to = ['owner@client.example', 'gone@client.example']
  expect(await mailer.send({ ...letter, to }, async () => true)).toEqual({
    outcome: 'sent',
    answer: expect.stringMatching(/^250 /),
    refused: 'Not delivered to gone@client.example: 550 No such mailbox',
  })
  expect(sink.letters.map((received) => received.to)).toEqual([['owner@client.example']])
  expect(await mailer.send({ ...letter, to: ['gone@client.example'] }, async () => true)).toMatchObject({
    outcome: 'failed',
  })
})

/** Offers the letter to a server that answers the recipient with these lines, and returns what became of it and of the server. */
const offer = (...lines: string[]) => offerAt('RCPT', ...lines)

const offerAt = (command: string, ...lines: string[]) => offerTo('owner@client.example', command, ...lines)

async function offerTo(to: string, command: string, ...lines: string[]) {
  const server = createServer((socket) => {
    socket.write('220 mail.example\r\n')
    createInterface(socket).on('line', (line) =>
      socket.write(`${line.startsWith(command) ? lines.join('\r\n') : '250 ok'}\r\n`),
    )
  })
  const url = `smtp://127.0.0.1:${await startListening(server)}`
  const recorded: unknown[] = []
  const record = async (outcome: unknown) => void recorded.push(outcome)
  const mailer = createMailer(async () => ({ url, from: 'leads@agency.example', record }))
  const result = await mailer.send({ ...letter, to: [to] }, async () => true)
  await stopListening(server)
  return { result, recorded }
}

test('a mailbox that takes nothing now says nothing of the mail server [MOVE-15]', async () => {
  // Gmail, Postfix and Postgrey: full, too many at once, not verified yet, greylisted.
  for (const answer of ['452 4.2.2 Over quota', '450 4.2.1 Too fast', '450 4.1.1 Unverified', '450 4.2.0 Greylisted'])
    expect(await offer(answer), answer).toMatchObject({ result: { outcome: 'deferred' }, recorded: [] })
  for (const answer of ['450 4.7.1 Too many messages', '451 4.3.0 Broken', '450 Try again later', '421 4.2.1 Closing'])
    expect(await offer(answer), answer).toMatchObject({
      ...{ result: { outcome: 'deferred' }, recorded: [{ state: 'unreachable' }] },
    })
})

test('an answer without its code refuses nothing: the email is tried again [MOVE-15]', async () => {
  for (const command of ['MAIL', 'RCPT'])
    expect(await offerAt(command, 'Please come back later'), command).toMatchObject({
      ...{ result: { outcome: 'deferred', error: expect.stringContaining('Please come back later') } },
    })
})

test('an address with letters that few servers take before the @ is refused with that reason [IN-18]', async () => {
  const says =
    '501 5.1.3 Bad recipient address syntax (josé@client.example has letters before the @ that not every mail server takes)'
  const { result } = await offerTo('josé@client.example', 'RCPT', '501 5.1.3 Bad recipient address syntax')
  expect(result).toMatchObject({ outcome: 'failed', error: expect.stringContaining(says) })
})

test('an answer of several lines is one sentence, with its code once [IN-18]', async () => {
  const { result } = await offer(
    '550-5.1.1 The email account that you tried to reach does not exist. Please',
    '550-5.1.1 check the address. Go to',
    '550 5.1.1  https://support.example/NoSuchUser',
  )
  const says =
    '550 5.1.1 The email account that you tried to reach does not exist. Please check the address. Go to https://support.example/NoSuchUser'
  expect(result).toEqual({ outcome: 'failed', error: expect.stringContaining(`rejected: ${says}`) })
  const { recorded } = await offer('451-4.7.1 Busy', '451 4.7.1 Later')
  expect(recorded).toEqual([{ state: 'unreachable', says: 'The mail server says: 451 4.7.1 Busy Later' }])
})
