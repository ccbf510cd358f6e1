/** What a new agency has to do, in order. */
export const setupStepKeys = ['agency', 'email', 'callrail', 'google', 'data', 'first_client'] as const
export type SetupStepKey = (typeof setupStepKeys)[number]

export const setupStepTitles: Record<SetupStepKey, string> = {
  agency: 'Agency',
  email: 'Email',
  callrail: 'CallRail',
  google: 'Google',
  data: 'Your data',
  first_client: 'First client',
}
