import { useSyncExternalStore } from 'react'
import { z } from 'zod'

const environmentNames = ['production', 'staging', 'development', 'test'] as const
export type EnvironmentName = (typeof environmentNames)[number]

const appConfigSchema = z.object({
  environment: z.enum(environmentNames).catch('development'),
  /** What the product is called here: clients and staff see the agency's name. */
  agencyName: z.string().catch('Leadline'),
  agencyLogo: z.string().nullish(),
  /** Its color in either theme, as custom properties. */
  agencyColors: z.record(z.string(), z.string()).optional(),
  clientLoginUrl: z.string().nullish(),
  /** Whether users can sign in with an OpenID provider. */
  singleSignOn: z.boolean().catch(false),
  userGuideUrl: z.string().nullish(),
  resourcesUrl: z.string().nullish(),
  /** The agency's zone: every day and time on the wire is in it. */
  timezone: z.string().catch('America/New_York'),
  /** The URL of map tiles, with `{z}`, `{x}`, `{y}`, and their attribution. */
  mapTileUrl: z.string().catch(''),
  mapAttribution: z.string().catch(''),
})

/** Configuration that the page needs before sign-in. The server writes it into a meta tag, so no inline script is needed. */
export const appConfig = appConfigSchema.parse(readConfigMeta())

const renamed = new Set<() => void>()
const subscribeToRenaming = (notify: () => void) => {
  renamed.add(notify)
  return () => void renamed.delete(notify)
}

/** Returns the agency's name, also once it is changed on this page. */
export const useAgencyName = (): string => useSyncExternalStore(subscribeToRenaming, () => appConfig.agencyName)

export function renameAgency(name: string): void {
  appConfig.agencyName = name
  for (const notify of renamed) notify()
}

function readConfigMeta(): unknown {
  // Tests of components run without a page.
  const page = typeof document === 'undefined' ? null : document
  const content = page?.querySelector('meta[name="leadline"]')?.getAttribute('content')
  try {
    return JSON.parse(content ?? '{}')
  } catch {
    return {}
  }
}
