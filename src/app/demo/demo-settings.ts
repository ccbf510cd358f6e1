import { join } from 'node:path'
import { agencySettings } from '#domains/agency/server/settings.ts'
import { type AppSettings, parseSettings } from '#domains/app-settings.ts'

const kept = new Set(['PORT', 'HOST', 'PUBLIC_URL', 'TRUSTED_PROXIES', ...Object.keys(agencySettings)])

/** Keeps where the operator's program answers and what the agency is called; nothing of their database, keys, bucket and mail server. */
export function createDemoSettings(own: AppSettings, standIns: Partial<AppSettings>): AppSettings {
  return {
    ...parseSettings({}),
    ...Object.fromEntries(Object.entries(own).filter(([name]) => kept.has(name))),
    ...standIns,
    PUBLIC_URL: own.PUBLIC_URL.replace('//127.0.0.1:', '//localhost:'), // passkeys need a host name
    DATA_DIR: join(own.DATA_DIR, 'demo'),
    CALLRAIL_SIGNING_KEY: 'the-demo-signs-with-this',
    LOG_LEVEL: own.LOG_LEVEL === 'info' ? 'warn' : own.LOG_LEVEL, // keeps the terminal free for the demo's own lines
  }
}
