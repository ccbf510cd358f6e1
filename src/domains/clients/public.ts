export { clientsImport } from './server/import-rows.ts'
