/** For tests and tools, which are TypeScript. */
export declare const externalPackages: readonly string[]
export declare function buildServer(): Promise<void>
export declare function builtProgram(name: 'server' | 'leadline' | 'demo'): string
