import { Button, Heading, Link, Text } from '@react-email/components'
import {
  brandButtonStyle,
  breakLines,
  EmailBox,
  EmailFrame,
  emailButtonStyle,
  quietLinkStyle,
  smallTextStyle,
} from './EmailFrame.tsx'
import { type EmailBrand, emailColors } from './email-colors.ts'
import { renderHtml } from './render-html.ts'

type NoticeLink = { label: string; url: string }
/** Items under one heading, each with its own link. */
export type NoticeGroup = { title: string; items: { title: string; text: string; url: string }[] }

type Notice = {
  /** Shown above the title: the product or the campaign. */
  about?: string
  /** The agency's look, in emails that clients get too. */
  brand?: EmailBrand
  title: string
  paragraphs: string[]
  groups?: NoticeGroup[]
  button?: NoticeLink
  /** Why the reader gets this email. */
  reason: string
  /** Where the reader changes that. */
  settings?: NoticeLink
}

/** Renders a plain email of paragraphs, groups of items and at most one button, as HTML and as text. */
export async function renderNoticeEmail(notice: Notice): Promise<{ html: string; text: string }> {
  const { about, brand, title, paragraphs, groups = [], button, reason, settings } = notice
  const html = await renderHtml(
    <EmailFrame
      preview={paragraphs[0] ?? groups[0]?.items[0]?.title ?? title}
      {...(about !== undefined && { about })}
      {...(brand && { brand })}
      title={title}
      reason={
        <>
          {reason}
          {settings && (
            <>
              {' '}
              <Link href={settings.url} style={quietLinkStyle}>
                {settings.label}
              </Link>
            </>
          )}
        </>
      }
    >
      {paragraphs.map((paragraph) => (
        <Text key={paragraph} style={{ fontSize: 15, lineHeight: '22px', margin: '0 0 12px' }}>
          {breakLines(paragraph)}
        </Text>
      ))}
      {groups.map((group) => (
        <EmailGroup key={group.title} {...group} />
      ))}
      {button ? (
        <Button href={button.url} style={brand ? brandButtonStyle(brand) : emailButtonStyle}>
          {button.label}
        </Button>
      ) : null}
    </EmailFrame>,
  )
  const toLine = ({ label, url }: NoticeLink) => `${label}: ${url}`
  const blocks = [
    title,
    ...paragraphs,
    ...groups.flatMap((group) => [
      group.title,
      ...group.items.map(({ title, text, url }) => `${title}\n${text}\n${url}`),
    ]),
    ...(button ? [toLine(button)] : []),
    settings ? `${reason}\n${toLine(settings)}` : reason,
  ]
  return { html, text: blocks.join('\n\n') }
}

const EmailGroup = ({ title, items }: NoticeGroup) => (
  <EmailBox style={{ paddingBottom: 16 }}>
    <Heading as="h2" style={{ ...smallTextStyle, fontWeight: 600, margin: '0 0 8px' }}>
      {title}
    </Heading>
    {items.map((item) => (
      <Text key={item.url + item.title} style={{ fontSize: 15, lineHeight: '22px', margin: '0 0 12px' }}>
        <Link href={item.url} style={{ color: emailColors.accent, fontWeight: 600, textDecoration: 'none' }}>
          {item.title}
        </Link>
        {item.text && (
          <>
            <br />
            <span style={{ color: emailColors.secondary }}>{item.text}</span>
          </>
        )}
      </Text>
    ))}
  </EmailBox>
)
