import { createSocket } from 'node:dgram'
import { expect, test } from 'vitest'
import { setUp } from '#test/app.ts'
import { createNetworkAdapter } from './network-access.ts'

/** The answers of name servers, by their code: none, no error, server failure, no such name, refused. */
const codes = { 'silent.example': null, 'empty.example': 0, 'failing.example': 2, 'lost.example': 3, 'lame.example': 5 }
type Name = keyof typeof codes

/** A name server that answers each question with its code, and no addresses. */
async function startNameServer() {
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const labels: string[] = []
    for (let at = 12; question[at]; at += question[at]! + 1)
      labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!))
    const code = codes[labels.join('.') as Name] ?? 3
    if (codes[labels.join('.') as Name] === null) return
    const answer = Buffer.from(question)
    answer.writeUInt16BE(0x8180 | code, 2)
    answer.writeUInt16BE(0, 10) // no further records
    socket.send(answer.subarray(0, 12 + labels.join('.').length + 2 + 4), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { port: socket.address().port, close: async () => void socket.close() }
}

const nameServer = await setUp(startNameServer())
const network = createNetworkAdapter({ nameServers: [`127.0.0.1:${nameServer.port}`], timeout: 200 })

test.each<Name>(['lost.example', 'empty.example'])('%s has no address [EDGE-10]', async (name) => {
  expect(await network.resolve(name)).toEqual([])
})

test.each<Name>(['failing.example', 'lame.example', 'silent.example'])(
  'no one answers for %s [EDGE-10]',
  async (name) => {
    await expect(network.resolve(name)).rejects.toMatchObject({ code: expect.stringMatching(/^E/) })
  },
)

test('names can be resolved where a name server answers that there is none [EDGE-11]', async () => {
  expect(await network.namesResolve()).toBe(true)
  const cutOff = createNetworkAdapter({ nameServers: ['127.0.0.1:1'], timeout: 200 })
  expect(await cutOff.namesResolve()).toBe(false)
})
