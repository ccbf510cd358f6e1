/** For test/global-setup.ts, which is TypeScript. */
export declare function buildWeb(): Promise<void>
