import { afterAll, expect, test } from 'vitest'
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
