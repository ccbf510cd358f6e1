/** Probes a silent source, by its signal's id. */
export const probeJob = { name: 'signal-probe' }
