import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A certificate that signs itself, made here so that no key lies in the repository. Nobody trusts it. */
export function selfSigned(names: readonly string[], ends: Date): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(tagged(0x31, sequence(oid('550403'), tagged(0x0c, Buffer.from('stand-in')))))
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const alternatives = sequence(...names.map((one) => tagged(0x82, Buffer.from(one))))
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(time(new Date('2020-01-01T00:00:00Z')), time(ends)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(sequence(oid('551d11'), tagged(0x04, alternatives)))),
  )
  const signature = tagged(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const der = sequence(body, ecdsaWithSha256, signature)
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

/** DER: a tag, the length of what follows, and that. */
function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}
const sequence = (...parts: Buffer[]) => tagged(0x30, ...parts)
const oid = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'))
const time = (at: Date) => tagged(0x18, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`))
