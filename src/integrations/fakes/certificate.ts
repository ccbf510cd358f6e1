import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Creates a self-signed certificate, so that there is no key in the repository. */
export function createSelfSignedCertificate(names: readonly string[], ends: Date): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = encodeSequence(
    encodeDer(0x31, encodeSequence(encodeOid('550403'), encodeDer(0x0c, Buffer.from('stand-in')))),
  )
  const ecdsaWithSha256 = encodeSequence(encodeOid('2a8648ce3d040302'))
  const alternatives = encodeSequence(...names.map((one) => encodeDer(0x82, Buffer.from(one))))
  const body = encodeSequence(
    encodeDer(0xa0, encodeDer(0x02, Buffer.from([2]))),
    encodeDer(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    encodeSequence(encodeTime(new Date('2020-01-01T00:00:00Z')), encodeTime(ends)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encodeDer(0xa3, encodeSequence(encodeSequence(encodeOid('551d11'), encodeDer(0x04, alternatives)))),
  )
  const signature = encodeDer(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const der = encodeSequence(body, ecdsaWithSha256, signature)
  const lines = der
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

/** Encodes DER: a tag, the length of the content, and the content. */
function encodeDer(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}
const encodeSequence = (...parts: Buffer[]) => encodeDer(0x30, ...parts)
const encodeOid = (hex: string) => encodeDer(0x06, Buffer.from(hex, 'hex'))
const encodeTime = (at: Date) => encodeDer(0x18, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`))
