import { expect, test } from 'vitest'
import { parseSettings } from './settings.ts'

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
