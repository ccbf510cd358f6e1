import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { startListening, stopListening } from '#integrations/fakes/local-server.ts'

type ReceivedMessage = { headers: IncomingHttpHeaders; text: string; at: number }
// Tests read any part of the body.
// biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape that it reads
type MessageBody = { type: string; timestamp: string; data: any }

/** A receiver of webhooks, over real HTTP. It answers 200 unless `respond` says otherwise. */
export async function startWebhookReceiver() {
  const received: ReceivedMessage[] = []
  const receiver = {
    url: '',
    received,
    respond: (response: ServerResponse, _message: ReceivedMessage): void => void response.end('thanks'),
    /** The received messages, without duplicates. */
    bodies: () =>
      [...new Map(received.map(({ headers, text }) => [headers['webhook-id'], text])).values()].map(
        (text) => JSON.parse(text) as MessageBody, // as ours are
      ),
    /** Verifies a message as a receiver does, with the library's own verifier. */
    verify: ({ headers, text }: ReceivedMessage, secret: string) =>
      new Webhook(secret).verify(text, headers as Record<string, string>) as MessageBody, // each header came once
    close: () => stopListening(server),
  }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request.setEncoding('utf8')) text += part
    const message = { headers: request.headers, text, at: Date.now() }
    received.push(message)
    receiver.respond(response, message)
  })
  receiver.url = `http://127.0.0.1:${await startListening(server)}/hook`
  return receiver
}
export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>
