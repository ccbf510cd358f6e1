export { createExpiry, createKey, createOpenCondition } from './server/keys.ts'
export { describeMasthead, drawDocument, serveDocument } from './server/serve-document.ts'
