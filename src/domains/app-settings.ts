import { completeSettings, coreSettings, parseDeclaredSettings, readEnvironment } from '#core/settings/settings.ts'
import { callRailRequirements, callRailSettings } from '#integrations/callrail/settings.ts'
import { cPanelSettings, cPanelSettingsTogether } from '#integrations/cpanel/settings.ts'
import { googleSettings, googleSettingsTogether } from '#integrations/google/settings.ts'
import { openIdSettings, openIdSettingsTogether } from '#integrations/openid/settings.ts'
import { rdapSettings } from '#integrations/rdap/settings.ts'
import { searchIndexSettings, searchIndexSettingsTogether } from '#integrations/search-index/settings.ts'
import { smtpSettings } from '#integrations/smtp/settings.ts'
import { storageSettings, storageSettingsTogether } from '#integrations/storage/settings.ts'
import { accessSettings } from './access/server/settings.ts'
import { agencySettings } from './agency/server/settings.ts'
import { intakeSettings } from './leads/intake/server/settings.ts'
import { mailSettings } from './leads/mail/server/settings.ts'

/** Every setting, declared by what it belongs to. A process needs them before it loads anything else, so these files import little. */
const declaredSettings = {
  ...coreSettings,
  ...agencySettings,
  ...accessSettings,
  ...intakeSettings,
  ...mailSettings,
  ...smtpSettings,
  ...cPanelSettings,
  ...googleSettings,
  ...openIdSettings,
  ...rdapSettings,
  ...searchIndexSettings,
  ...storageSettings,
  ...callRailSettings,
}

const together = [
  storageSettingsTogether,
  openIdSettingsTogether,
  googleSettingsTogether,
  cPanelSettingsTogether,
  searchIndexSettingsTogether,
]

export type AppSettings = ReturnType<typeof parseSettings>

/** The names of all settings. */
export const settingNames: ReadonlySet<string> = new Set(Object.keys(declaredSettings))

/** Parses and validates settings. An empty variable counts as not set. */
export const parseSettings = (source: Record<string, string | undefined>) =>
  completeSettings(parseDeclaredSettings(declaredSettings, { together, required: callRailRequirements }, source))

/** Reads settings from `.env` and the environment, which takes precedence. Nothing else reads either. */
export const readSettings = (): AppSettings => parseSettings(readEnvironment())
