import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { isLogoAddress, logoAddressMessage } from '#contract/logo-address.ts'
import { isTimeZone } from '#contract/zoned-time.ts'

/** The folder of package.json, the migrations and the built web, wherever the process was started. */
export const projectRoot = findProjectRoot(import.meta.dirname)

/** Searches upward: the build is in another folder than the source. */
function findProjectRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findProjectRoot(resolve(folder, '..'))
}

const urlSetting = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be an address starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    abort: true,
  })
const webUrlSetting = urlSetting('http:', 'https:')
const isRootUrl = ({ pathname, search, hash }: URL) => /^\/*$/.test(pathname) && search === '' && hash === ''
const timeZoneSetting = z.string().refine(isTimeZone, 'must be a time zone such as America/New_York')
const ipRangesSetting = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine((list) => list.every(isIpRange), 'must be addresses or ranges such as 10.0.0.0/8, separated by commas')

/** A URL template as in map libraries: `{z}`, `{x}`, `{y}` and, if the server has several names, `{s}`. */
const tileUrlSetting = z
  .string()
  .refine(
    (value) => ['{z}', '{x}', '{y}'].every((part) => value.includes(part)),
    'must contain {z}, {x} and {y}, such as https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  )
  .refine((value) => {
    const address = value.replaceAll(/\{\w\}/g, '0')
    return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
  }, 'must be an address starting with http:// or https://')

const daysSetting = (least: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, `must be a number of days, at least ${least}`)
    .transform(Number)
    .refine((days) => days >= least, `must be a number of days, at least ${least}`)

function isIpRange(value: string) {
  const [address = '', bits] = value.split('/')
  const family = isIP(address)
  return family !== 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
}

export const secretKeyPattern = /^[0-9a-fA-F]{64}$/
export const secretKeyMessage = 'must be 64 hexadecimal digits (openssl rand -hex 32)'

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

const settingsSchema = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .transform(Number)
    .refine((port) => port <= 65_535, 'must be a port number')
    .default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: webUrlSetting
    .refine((value) => isRootUrl(new URL(value)), 'must have no path: Leadline is at the root of its host')
    .optional(),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: urlSetting('postgres:', 'postgresql:').optional(),
  DATABASE_SESSION_URL: urlSetting('postgres:', 'postgresql:').optional(),
  DATABASE_REPLICA_URL: urlSetting('postgres:', 'postgresql:').optional(),
  APP_ENV: z
    .enum(['production', 'staging', 'development', 'test'], 'must be production, staging or development')
    .default('production'),
  LEADLINE_ROLE: z.enum(['web', 'worker'], 'must be web or worker, or not set for both').optional(),
  AGENCY_TIMEZONE: timeZoneSetting.default('America/New_York'),
  AGENCY_NAME: z.string().trim().min(1).max(100, 'must have at most 100 characters').default('Leadline'),
  AGENCY_COLOR: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #2a5bd7')
    .default('#2a5bd7'),
  AGENCY_LOGO: z.string().max(700_000).refine(isLogoAddress, logoAddressMessage).optional(),
  SECRET_KEY: z.string().regex(secretKeyPattern, secretKeyMessage).optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(8, 'must have at least 8 characters')
    .max(128, 'must have at most 128 characters')
    .optional(),
  TRUSTED_PROXIES: ipRangesSetting.optional(),
  STOP_DELAY: z
    .string()
    .regex(/^\d{1,2}$/, 'must be a number of seconds, at most 99')
    .transform(Number)
    .optional(),
  HOOK_JOURNAL_MB: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a number of megabytes, or 0 for none')
    .transform(Number)
    .default(256),
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, 'must have at least 16 characters and no spaces')
    .optional(),
  RETAIN_EVENTS_DAYS: daysSetting(30).optional(),
  RETAIN_MAILS_DAYS: daysSetting(90).optional(),
  RETAIN_AUDIT_DAYS: daysSetting(366).optional(),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent')
    .default('info'),
  SMTP_URL: urlSetting('smtp:', 'smtps:').optional(),
  MAIL_FROM: z
    .string()
    .regex(/[^\s<>@,]+@[^\s<>@,]+/, 'must be an email address, such as Leadline <leads@example.com>')
    .default('Leadline <leads@localhost>'),
  CLIENT_LOGIN_URL: webUrlSetting.optional(),
  USER_GUIDE_URL: webUrlSetting.optional(),
  RESOURCES_URL: webUrlSetting.optional(),
  MAP_TILE_URL: tileUrlSetting.default('https://tile.openstreetmap.org/{z}/{x}/{y}.png'),
  MAP_ATTRIBUTION: z.string().trim().min(1).max(200).default('© OpenStreetMap contributors'),
  ALLOWED_PRIVATE_RANGES: ipRangesSetting.optional(),
  CPANEL_URL: webUrlSetting.optional(),
  CPANEL_USER: z
    .string()
    .regex(/^[\w.-]+$/, 'must be a cPanel account name')
    .optional(),
  CPANEL_TOKEN: z
    .string()
    .regex(/^\S{8,}$/, 'must have at least 8 characters and no spaces')
    .optional(),
  CPANEL_ROOT_DOMAIN: z
    .string()
    .regex(/^([a-z0-9-]+\.)+[a-z0-9-]+$/i, 'must be the main domain of the cPanel account')
    .optional(),
  GOOGLE_CLIENT_ID: z.string().regex(/^\S+$/, 'must not contain spaces').optional(),
  GOOGLE_CLIENT_SECRET: z.string().regex(/^\S+$/, 'must not contain spaces').optional(),
  GOOGLE_AUTH_URL: webUrlSetting.default('https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_TOKEN_URL: webUrlSetting.default('https://oauth2.googleapis.com/token'),
  GOOGLE_REVOKE_URL: webUrlSetting.default('https://oauth2.googleapis.com/revoke'),
  GOOGLE_ACCOUNTS_URL: webUrlSetting.default('https://mybusinessaccountmanagement.googleapis.com'),
  GOOGLE_BUSINESS_URL: webUrlSetting.default('https://mybusinessbusinessinformation.googleapis.com'),
  GOOGLE_VERIFICATIONS_URL: webUrlSetting.default('https://mybusinessverifications.googleapis.com'),
  OIDC_ISSUER: webUrlSetting
    .refine(
      (value) => !URL.canParse(value) || new URL(value).protocol !== 'http:' || isLoopback(new URL(value).hostname),
      'must start with https://, except for a provider on this machine',
    )
    .optional(),
  OIDC_CLIENT_ID: z.string().regex(/^\S+$/, 'must not contain spaces').optional(),
  OIDC_CLIENT_SECRET: z.string().regex(/^\S+$/, 'must not contain spaces').optional(),
  OIDC_ROLE_CLAIM: z.string().regex(/^\S+$/, 'must be the name of a claim').optional(),
  RDAP_BOOTSTRAP_URL: webUrlSetting.default('https://data.iana.org/rdap/dns.json'),
  RDAP_IP_BOOTSTRAP_URL: webUrlSetting.default('https://data.iana.org/rdap/ipv4.json'),
  WHOIS_SERVER: z
    .string()
    .regex(/^[\w.-]+:\d{1,5}$/, 'must be a host and a port such as whois.iana.org:43')
    .default('whois.iana.org:43'),
  SEARCH_INDEX_URL: webUrlSetting.optional(),
  SEARCH_INDEX_KEY: z.string().regex(/^\S+$/, 'must not contain spaces').optional(),
  S3_ENDPOINT: webUrlSetting.optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, 'must be a region such as us-east-1')
    .default('us-east-1'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().regex(/^\S+$/, 'must not contain spaces').optional(),
  S3_SECRET_ACCESS_KEY: z.string().regex(/^\S+$/, 'must not contain spaces').optional(),
  CALLRAIL_API_URL: webUrlSetting.default('https://api.callrail.com/v3'),
  CALLRAIL_ACCOUNT_ID: z
    .string()
    .regex(/^[\w-]+$/, 'must be an account id such as ACC…')
    .optional(),
  CALLRAIL_API_KEY: z.string().regex(/^\S+$/, 'must not contain spaces').optional(),
  CALLRAIL_SIGNING_KEY: z.string().min(8, 'must have at least 8 characters').optional(),
})

/** The names of all settings. */
export const settingNames: ReadonlySet<string> = new Set(Object.keys(settingsSchema.shape))

export type AppSettings = Omit<z.output<typeof settingsSchema>, 'PUBLIC_URL' | 'STOP_DELAY'> & {
  PUBLIC_URL: string
  STOP_DELAY: number
}

/** Thrown for invalid settings; `lines` has one sentence for each. */
export class InvalidSettingsError extends Error {
  readonly lines: string[]

  constructor(lines: string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

/** Parses and validates settings. An empty variable counts as not set. */
export function parseSettings(source: Record<string, string | undefined>): AppSettings {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = settingsSchema.safeParse(given)
  if (!parsed.success)
    throw new InvalidSettingsError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`))
  const settings = parsed.data
  const missing = [
    ...findMissingTogether(settings, ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']),
    ...findMissingTogether(settings, ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']),
    ...(['DATABASE_SESSION_URL', 'DATABASE_REPLICA_URL'] as const)
      .filter((name) => settings[name] && !settings.DATABASE_URL)
      .map((name) => `DATABASE_URL must be set too: ${name} requires it`),
  ]
  if (missing.length > 0) throw new InvalidSettingsError(missing)
  const host = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST
  return {
    ...settings,
    DATA_DIR: resolve(projectRoot, settings.DATA_DIR),
    // Without a proxy there is no reason to wait.
    STOP_DELAY: settings.STOP_DELAY ?? (settings.TRUSTED_PROXIES ? 10 : 0),
    PUBLIC_URL: (settings.PUBLIC_URL ?? `http://${host}:${settings.PORT}`).replace(/\/+$/, ''),
  }
}

/** Returns a line for each missing setting if only some are set: that would silently disable the feature. */
function findMissingTogether(settings: z.output<typeof settingsSchema>, names: (keyof typeof settings)[]): string[] {
  const missing = names.filter((name) => settings[name] === undefined)
  if (missing.length === names.length) return []
  return missing.map((name) => `${name} must be set too: ${names.join(', ')} belong together`)
}

/** Reads settings from `.env` and the environment, which takes precedence. Nothing else reads either. */
export function readSettings(): AppSettings {
  const file = join(projectRoot, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
  return parseSettings(process.env)
}
