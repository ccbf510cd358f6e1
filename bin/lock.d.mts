export function runOnce(name: string, done: () => boolean, step: () => Promise<void>): Promise<void>
