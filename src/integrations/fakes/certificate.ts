import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

type CertificateParts = {
  starts?: Date
  /** Who signs it; without one, itself. */
  issuer?: StandInCertificate
  /** Whether it may sign others. */
  isAuthority?: boolean
  /** Where its issuer's certificate can be had. */
  issuerUrl?: string
}
export type StandInCertificate = { key: string; cert: string; subject: string }

/** Creates a certificate, so that there is no key in the repository. */
export function createCertificate(
  names: readonly string[],
  ends: Date,
  { starts = new Date('2020-01-01T00:00:00Z'), issuer, isAuthority = false, issuerUrl }: CertificateParts = {},
): StandInCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = isAuthority ? `stand-in ${randomBytes(4).toString('hex')}` : 'stand-in'
  const ecdsaWithSha256 = encodeSequence(encodeOid('2a8648ce3d040302'))
  const extensions = [
    encodeExtension('551d11', encodeSequence(...names.map(encodeAlternativeName))),
    ...(isAuthority ? [encodeExtension('551d13', encodeSequence(Buffer.from([0x01, 0x01, 0xff])))] : []),
    ...(issuerUrl ? [encodeExtension('2b06010505070101', encodeIssuerUrl(issuerUrl))] : []),
  ]
  const body = encodeSequence(
    encodeDer(0xa0, encodeDer(0x02, Buffer.from([2]))),
    encodeDer(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    encodeName(issuer?.subject ?? subject),
    encodeSequence(encodeTime(starts), encodeTime(ends)),
    encodeName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    encodeDer(0xa3, encodeSequence(...extensions)),
  )
  const signature = encodeDer(0x03, Buffer.from([0]), sign('sha256', body, issuer?.key ?? privateKey))
  const der = encodeSequence(body, ecdsaWithSha256, signature)
  const lines = der
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    subject,
  }
}

const encodeName = (name: string) =>
  encodeSequence(encodeDer(0x31, encodeSequence(encodeOid('550403'), encodeDer(0x0c, Buffer.from(name)))))
const encodeExtension = (oid: string, value: Buffer) => encodeSequence(encodeOid(oid), encodeDer(0x04, value))
const encodeAlternativeName = (name: string) =>
  isIPv4(name) ? encodeDer(0x87, Buffer.from(name.split('.').map(Number))) : encodeDer(0x82, Buffer.from(name))
const encodeIssuerUrl = (url: string) =>
  encodeSequence(encodeSequence(encodeOid('2b06010505073002'), encodeDer(0x86, Buffer.from(url))))

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
