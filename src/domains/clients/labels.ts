export const getNotificationsLabel = (disabled: 0 | 1) => (disabled ? 'Disabled' : 'Enabled')

/** The time zones that a client or a campaign may have, by code: the United States first, then its neighbors. */
export const timezoneLabels: Record<string, string> = {
  'America/New_York': 'Eastern Time (New York)',
  'America/Chicago': 'Central Time (Chicago)',
  'America/Denver': 'Mountain Time (Denver)',
  'America/Phoenix': 'Mountain Time, no daylight saving (Phoenix)',
  'America/Los_Angeles': 'Pacific Time (Los Angeles)',
  'America/Anchorage': 'Alaska Time (Anchorage)',
  'America/Adak': 'Hawaii-Aleutian Time (Adak)',
  'Pacific/Honolulu': 'Hawaii Time (Honolulu)',
  'America/Detroit': 'Eastern Time (Detroit)',
  'America/Indiana/Indianapolis': 'Eastern Time (Indianapolis)',
  'America/Kentucky/Louisville': 'Eastern Time (Louisville)',
  'America/Boise': 'Mountain Time (Boise)',
  'America/Puerto_Rico': 'Atlantic Time (Puerto Rico)',
  'Pacific/Guam': 'Chamorro Time (Guam)',
  'Pacific/Pago_Pago': 'Samoa Time (Pago Pago)',
  'America/St_Johns': 'Newfoundland Time (St. John’s)',
  'America/Halifax': 'Atlantic Time (Halifax)',
  'America/Toronto': 'Eastern Time (Toronto)',
  'America/Winnipeg': 'Central Time (Winnipeg)',
  'America/Regina': 'Central Time, no daylight saving (Regina)',
  'America/Edmonton': 'Mountain Time (Edmonton)',
  'America/Vancouver': 'Pacific Time (Vancouver)',
  'America/Mexico_City': 'Mexico City',
  'America/Cancun': 'Cancún',
  'America/Tijuana': 'Tijuana',
  'Europe/London': 'London',
  'Europe/Berlin': 'Berlin',
  'Asia/Tokyo': 'Tokyo',
  'Australia/Sydney': 'Sydney',
  UTC: 'UTC',
}

/** Returns undefined for a zone that cannot be chosen: the agency's may be any. */
export const toListedZone = (zone: string): string | undefined =>
  Object.hasOwn(timezoneLabels, zone) ? zone : undefined
