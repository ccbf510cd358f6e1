import { Button, Text } from '@react-email/components'
import { EmailFrame, emailButtonStyle } from './EmailFrame.tsx'
import { renderHtml } from './render-html.ts'

type Notice = {
  /** Shown above the title: the product, the agency or the campaign. */
  about: string
  title: string
  paragraphs: string[]
  button?: { label: string; url: string }
  /** Why the reader gets this email. */
  reason: string
}

/** Renders a plain email of paragraphs and at most one button, as HTML and as text. */
export async function renderNoticeEmail(notice: Notice): Promise<{ html: string; text: string }> {
  const { about, title, paragraphs, button, reason } = notice
  const html = await renderHtml(
    <EmailFrame preview={paragraphs[0] ?? title} about={about} title={title} reason={reason}>
      {paragraphs.map((paragraph) => (
        <Text key={paragraph} style={{ fontSize: 15, lineHeight: '22px', margin: '0 0 12px', whiteSpace: 'pre-wrap' }}>
          {paragraph}
        </Text>
      ))}
      {button ? (
        <Button href={button.url} style={emailButtonStyle}>
          {button.label}
        </Button>
      ) : null}
    </EmailFrame>,
  )
  const link = button ? [`${button.label}: ${button.url}`] : []
  return { html, text: [title, ...paragraphs, ...link, reason].join('\n\n') }
}
