export { type EmailBrand, EmailFrame, emailColors, smallTextStyle } from './server/EmailFrame.tsx'
export { renderNoticeEmail } from './server/notice-email.tsx'
export {
  type ChatMessage,
  isUntaken,
  type QueuedEmail as Email,
  queueChatMessage,
  queueEmail,
  takeUntakenMessages,
  type UntakenMessage,
} from './server/queue.ts'
export { renderHtml } from './server/render-html.ts'
