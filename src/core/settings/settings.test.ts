import { expect, test } from 'vitest'
import { parseSettings } from '#domains/app-settings.ts'

test('each setting that is missing beside another has a line [RUN-05]', () => {
  const half = { S3_BUCKET: 'images', S3_ACCESS_KEY_ID: 'key', OIDC_ISSUER: 'https://id.example' }
  expect(() => parseSettings({ ...half, DATABASE_REPLICA_URL: 'postgres://replica/leadline' })).toThrow(
    /^S3_SECRET_ACCESS_KEY .*\nOIDC_CLIENT_ID .*\nOIDC_CLIENT_SECRET .*\nDATABASE_URL must be set too.*$/,
  )
})

test.each([
  ['CALLRAIL_ACCOUNT_ID', { CALLRAIL_API_KEY: 'key' }],
  ['GOOGLE_CLIENT_SECRET', { GOOGLE_CLIENT_ID: 'agency' }],
  ['GOOGLE_CLIENT_ID', { GOOGLE_CLIENT_SECRET: 'secret' }],
  ['CPANEL_TOKEN', { CPANEL_URL: 'https://host:2083', CPANEL_USER: 'agency', CPANEL_ROOT_DOMAIN: 'agency.example' }],
  ['SEARCH_INDEX_URL', { SEARCH_INDEX_KEY: 'key' }],
])('settings that would do nothing without %s are refused [RUN-05]', (missing, half) => {
  expect(() => parseSettings(half)).toThrow(new RegExp(`^${missing} must be set too: .*$`))
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
