import { config } from 'zod'

// The schema library would compile its checks with `new Function`, which the content security policy forbids; without
// this it tries, and the try is reported. Imported first, before any schema checks anything.
config({ jitless: true })
