import { expect, test } from 'vitest'
import { parseSettings } from '#domains/app-settings.ts'
import { createDemoSettings } from './demo-settings.ts'

test('the demo uses no database, bucket, sign-in, key or deadline of the real agency', () => {
  const own = {
    PORT: '4000',
    PUBLIC_URL: 'https://leads.summit.example',
    AGENCY_NAME: 'Summit',
    DATABASE_URL: 'postgres://db.example/leadline',
    SECRET_KEY: 'a'.repeat(64),
    METRICS_TOKEN: 'a-token-of-the-agency',
    RETAIN_AUDIT_DAYS: '400',
    S3_BUCKET: 'summit',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'leadline',
    OIDC_CLIENT_SECRET: 'secret',
    SMTP_URL: 'smtp://mail.example',
  }
  const plain = { PORT: '4000', PUBLIC_URL: own.PUBLIC_URL, AGENCY_NAME: 'Summit' }
  const standIns = { SMTP_URL: 'smtp://127.0.0.1:2525' }
  const settings = createDemoSettings(parseSettings(own), standIns)
  expect(settings).toEqual(createDemoSettings(parseSettings(plain), standIns))
  expect(settings).toMatchObject({ PORT: 4000, AGENCY_NAME: 'Summit', ...standIns })
})
