import { expect, test } from 'vitest'
import { parseSettings } from '#domains/app-settings.ts'

test('each setting that is missing beside another has a line [RUN-05]', () => {
  const half = { S3_BUCKET: 'images', S3_ACCESS_KEY_ID: 'key', OIDC_ISSUER: 'https://id.example' }
  expect(() => parseSettings({ ...half, DATABASE_REPLICA_URL: 'postgres://replica/leadline' })).toThrow(
    /^S3_SECRET_ACCESS_KEY .*\nOIDC_CLIENT_ID .*\nOIDC_CLIENT_SECRET .*\nDATABASE_URL must be set too.*$/,
  )
})

test.each(['leads@agency.example', 'Agency, Inc. <leads@agency.example>', '"Agency" <leads@localhost>'])(
  'emails can come from %s',
  (MAIL_FROM) => {
    expect(parseSettings({ MAIL_FROM }).MAIL_FROM).toBe(MAIL_FROM)
  },
)

test.each(['Leadline', 'Leadline <leads@>', '@agency'])(
  'emails cannot come from %s: mail servers would refuse each one',
  (MAIL_FROM) => {
    expect(() => parseSettings({ MAIL_FROM })).toThrow('MAIL_FROM must be an email address')
  },
)

test.each(['https://agency.example', 'https://agency.example:443/', 'http://[::1]:3000'])(
  'the program can be at %s',
  (PUBLIC_URL) => {
    expect(parseSettings({ PUBLIC_URL }).PUBLIC_URL).toBe(PUBLIC_URL.replace(/\/$/, ''))
  },
)

test.each([
  'https://agency.example/leadline',
  'https://agency.example/?a=1',
  'https://agency.example/#leads',
  'agency',
])('the program cannot be at %s', (PUBLIC_URL) => {
  expect(() => parseSettings({ PUBLIC_URL })).toThrow(/^PUBLIC_URL must/)
})
