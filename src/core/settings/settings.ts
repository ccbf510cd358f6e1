import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { getErrorMessage } from '#contract/error-message.ts'
import { daysSetting, urlSetting, webUrlSetting } from '#contract/setting-fields.ts'

/** The folder of package.json, the migrations and the built web, wherever the process was started. */
export const projectRoot = findProjectRoot(import.meta.dirname)

/** Searches upward: the build is in another folder than the source. */
function findProjectRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findProjectRoot(resolve(folder, '..'))
}

const isRootUrl = ({ pathname, search, hash }: URL) => /^\/*$/.test(pathname) && search === '' && hash === ''
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

function isIpRange(value: string) {
  const [address = '', bits] = value.split('/')
  const family = isIP(address)
  return family !== 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
}

export const secretKeyPattern = /^[0-9a-fA-F]{64}$/
export const secretKeyMessage = 'must be 64 hexadecimal digits (openssl rand -hex 32)'

/** The settings of the program itself, wherever it is used. */
export const coreSettings = {
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
  SECRET_KEY: z.string().regex(secretKeyPattern, secretKeyMessage).optional(),
  TRUSTED_PROXIES: ipRangesSetting.optional(),
  STOP_DELAY: z
    .string()
    .regex(/^\d{1,2}$/, 'must be a number of seconds, at most 99')
    .transform(Number)
    .optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, 'must have at least 16 characters and no spaces')
    .optional(),
  RETAIN_AUDIT_DAYS: daysSetting(366).optional(),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent')
    .default('info'),
  MAP_TILE_URL: tileUrlSetting.default('https://tile.openstreetmap.org/{z}/{x}/{y}.png'),
  MAP_ATTRIBUTION: z.string().trim().min(1).max(200).default('© OpenStreetMap contributors'),
  ALLOWED_PRIVATE_RANGES: ipRangesSetting.optional(),
}
type GivenCoreSettings = z.output<z.ZodObject<typeof coreSettings>>

export type CoreSettings = ReturnType<typeof completeSettings<GivenCoreSettings>>

/** Thrown for invalid settings; `lines` has one sentence for each. */
export class InvalidSettingsError extends Error {
  readonly lines: string[]

  constructor(lines: string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

/** Creates the data directory where it is missing, open to be entered only. Throws if nothing can be written there. */
export function ensureDataDirectory(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new InvalidSettingsError([`DATA_DIR must be a folder that can be written to: ${getErrorMessage(error)}`])
  }
}

/** Settings of which only some would silently disable the feature. */
type SettingRules = {
  /** Of each group none or all must be set. */
  together: readonly SettingGroup[]
  /** A setting, and the one without which it does nothing. */
  required: readonly Requirement[]
}
type SettingGroup = readonly string[]
type Requirement = readonly [name: string, needed: string]

const coreRequirements: readonly Requirement[] = [
  ['DATABASE_SESSION_URL', 'DATABASE_URL'],
  ['DATABASE_REPLICA_URL', 'DATABASE_URL'],
]

/** Parses and validates the declared settings, the core's among them. An empty variable counts as not set. */
export function parseDeclaredSettings<Declared extends typeof coreSettings>(
  declared: Declared,
  { together, required }: SettingRules,
  source: Record<string, string | undefined>,
): z.output<z.ZodObject<Declared>> {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = z.object(declared).safeParse(given)
  if (!parsed.success)
    throw new InvalidSettingsError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`))
  const missing = [
    ...together.flatMap((group) => listMissing(given, group)),
    ...[...coreRequirements, ...required]
      .filter(([name, needed]) => given[name] && !given[needed])
      .map(([name, needed]) => `${needed} must be set too: ${name} requires it`),
  ]
  if (missing.length > 0) throw new InvalidSettingsError(missing)
  return parsed.data
}

function listMissing(given: Readonly<Record<string, unknown>>, group: SettingGroup): string[] {
  const missing = group.filter((name) => given[name] === undefined)
  if (missing.length === group.length) return []
  return missing.map((name) => `${name} must be set too: ${group.join(', ')} belong together`)
}

/** Sets the defaults that depend on other settings. */
export function completeSettings<Settings extends GivenCoreSettings>(settings: Settings) {
  const host = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST
  return {
    ...settings,
    DATA_DIR: resolve(projectRoot, settings.DATA_DIR),
    // Without a proxy there is no reason to wait.
    STOP_DELAY: settings.STOP_DELAY ?? (settings.TRUSTED_PROXIES ? 10 : 0),
    PUBLIC_URL: (settings.PUBLIC_URL ?? `http://${host}:${settings.PORT}`).replace(/\/+$/, ''),
  }
}

/** Returns the variables of `.env` and the environment, which takes precedence. */
export function readEnvironment(): Record<string, string | undefined> {
  const file = join(projectRoot, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
  return process.env
}
