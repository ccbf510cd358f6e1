import { z } from 'zod'
import { urlSetting } from '#contract/setting-fields.ts'

export const defaultSenderName = 'Leadline'

export const smtpSettings = {
  SMTP_URL: urlSetting('smtp:', 'smtps:').optional(),
  MAIL_FROM: z
    .string()
    .regex(/[^\s<>@,]+@[^\s<>@,]+/, 'must be an email address, such as Leadline <leads@example.com>')
    .default(`${defaultSenderName} <leads@localhost>`),
}
