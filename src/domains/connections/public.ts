export { holdConnections, listConnections, readConnectionSecret } from './server/queries.ts'
export { recordConnectionUse } from './server/record-use.ts'
