import { webUrlSetting, wordSetting } from '#contract/setting-fields.ts'

export const searchIndexSettings = {
  SEARCH_INDEX_URL: webUrlSetting.optional(),
  SEARCH_INDEX_KEY: wordSetting.optional(),
}

export const searchIndexSettingsTogether = ['SEARCH_INDEX_URL', 'SEARCH_INDEX_KEY'] as const
