export { toLeadNumber } from './server/lead-number.ts'
export {
  readDay,
  readFlag,
  readMoment,
  readNumber,
  readRecord,
  readRecords,
  readReference,
  readText,
  readTime,
} from './server/legacy-values.ts'
export { type CompanyPayload, toLinkDomain } from './server/link-keys.ts'
export {
  billedReason,
  changedReason,
  type KindWriter,
  type KindWriters,
  type MoveCaller,
  type MoveLookup,
  type WrittenThing,
} from './server/movable.ts'
export { readOldLeadIds } from './server/queries.ts'
export { readSiteIp } from './server/read-legacy.ts'
