export { DocumentLink, DocumentPage } from './DocumentPage.tsx'
