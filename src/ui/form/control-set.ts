/** The controls that a form may declare. They are loaded with the form, so that a screen does not load them. */
export type ControlSet = typeof import('./controls.tsx')
