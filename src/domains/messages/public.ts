export {
  brandButtonStyle,
  breakLines,
  EmailBox,
  EmailFrame,
  quietLinkStyle,
  smallTextStyle,
} from './server/EmailFrame.tsx'
export { type EmailBrand, emailColors } from './server/email-colors.ts'
export { buildMessageId } from './server/message-id.ts'
export { type NoticeGroup, renderNoticeEmail } from './server/notice-email.tsx'
export {
  isUntaken,
  queueChatMessage,
  queueEmail,
  takeUntakenMessages,
  type UntakenMessage,
} from './server/queue.ts'
export { renderHtml } from './server/render-html.ts'
export { stopEmails, stopReasons } from './server/stop-emails.ts'
export { readUndelivered, readUndeliveredOf, type UndeliveredEmails } from './server/undelivered.ts'
