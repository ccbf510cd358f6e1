import { config } from 'zod'

// Keeps the schema library from trying `new Function`, which the content security policy forbids and reports.
// Imported first, before any schema is used.
config({ jitless: true })
