export function findDevPort(environment: Record<string, string | undefined>, file: string): string
