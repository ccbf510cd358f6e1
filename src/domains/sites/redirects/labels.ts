/** The steps at cPanel, in order. */
export const redirectStepLabels = {
  domain: 'Add the domain in cPanel',
  redirect: 'Add the redirect in cPanel',
  noRedirect: 'Remove the redirect in cPanel',
  noDomain: 'Remove the domain in cPanel',
  takeBack: 'Undo the completed steps',
} as const
export type RedirectStepName = keyof typeof redirectStepLabels
export type RedirectStep = { name: RedirectStepName; state: 'running' | 'done' | 'failed' }
