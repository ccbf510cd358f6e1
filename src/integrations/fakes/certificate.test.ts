import { createSecureContext } from 'node:tls'
import { expect, test } from 'vitest'
import { createCertificate } from './certificate.ts'

test('a certificate of any length can be read, also one that fills its last line', () => {
  for (const length of Array.from({ length: 100 }, (_, index) => index + 1)) {
    const certificate = createCertificate(['n'.repeat(length)], new Date('2040-01-01T00:00:00Z'))
    expect(() => createSecureContext(certificate), `${length} letters`).not.toThrow()
  }
})
