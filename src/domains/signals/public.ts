export { readSilentSources } from './server/silent-sources.ts'
