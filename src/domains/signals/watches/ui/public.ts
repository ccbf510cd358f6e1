export { default as NotificationsPart } from './notifications-part.tsx'
