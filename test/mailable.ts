import { expect } from 'vitest'
import { computeContrast, darkGrounds, darkInk } from '#domains/agency/colors.ts'
import { emailColors } from '#domains/messages/public.ts'

/** What mailboxes ask of every email to a client. */
export function expectMailable(
  { subject, html, text }: { subject: string; html: string; text: string },
  publicUrl = '',
) {
  expect(subject.length).toBeLessThan(160)
  expect(Buffer.byteLength(html)).toBeLessThan(100_000) // Gmail clips what is longer
  expect(text.trim().length).toBeGreaterThan(40)
  expect(html).toMatch(/^<!DOCTYPE html/i)
  expect(html).toMatch(/<html[^>]* lang="en"/)
  // Only an app that runs on this machine has an address without TLS, and only the app's own.
  const links = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'))
  const own =
    publicUrl || /^http:\/\/127\.0\.0\.1:\d+/.exec(links.find((link) => link.startsWith('http://127.')) ?? '')?.[0]
  const plain = links.filter((link) => link.startsWith('http:') && !(own && link.startsWith(own)))
  expect(plain.filter((link) => !link.startsWith('http://www.w3.org'))).toEqual([])
  // Each button is one link, to one place.
  const buttons = [...html.matchAll(/<a href="([^"]+)"[^>]*display:inline-block[^>]*>/g)].map(([, link]) => link)
  expect(new Set(buttons).size).toBe(buttons.length)
  // Nothing is fetched to learn that the email was opened: the agency's logo is the only image from elsewhere.
  const images = [...html.matchAll(/<img[^>]* src="([^"]+)"/g)].map(([, src = '']) => src)
  for (const image of images) expect(image).toMatch(/^cid:|\/api\/agency\/logo\?/)
  // Readable in dark mode: whatever a mailbox inverts, each text has a background of its own in the same letter.
  expect(html).toMatch(/<body[^>]*style="[^"]*background-color:#/)
  expect(html).toContain('<meta name="color-scheme" content="light dark"')
  const dark = /@media \(prefers-color-scheme:dark\)\{(.*?)\}<\/style>/.exec(html)?.[1] ?? ''
  for (const [, style = ''] of html.matchAll(/ style="([^"]*)"/g)) {
    const [ground] = /(?<=background-color:)#\w{6}/.exec(style) ?? []
    const [text] = /(?<=(?:^|;)color:)#\w{6}/.exec(style) ?? []
    const isLight = ground !== undefined && computeContrast(ground, darkInk) > 12
    if (isLight) expect(dark, `a dark ground for ${style}`).toContain(`background-color:${ground}`)
    // White text is that of buttons, whose color stays.
    if (text && text !== '#ffffff' && text !== emailColors.line)
      expect(dark, `a dark text for ${style}`).toContain(`;color:${text}`)
  }
  for (const [, color = ''] of dark.matchAll(/\{color:(#\w{6})!important/g))
    for (const ground of darkGrounds) expect(computeContrast(color, ground), color).toBeGreaterThanOrEqual(4.5)
  expect(html).not.toMatch(/<script|<form|<iframe|javascript:/i)
  expectOutlookSafe(html)
}

/** Outlook on Windows draws with Word: space and lines are those of cells, sizes are attributes, and only tables place things. */
export function expectOutlookSafe(html: string) {
  for (const [, style = ''] of html.matchAll(/<table[^>]* style="([^"]*)"/g))
    expect(style).not.toMatch(/padding|border|background|margin(?!:0 auto)/)
  expect(html).not.toMatch(/display:(inline-)?(flex|grid)|float:|position:|white-space:pre|background-image/)
  for (const [image] of html.matchAll(/<img[^>]*>/g)) expect(image).toMatch(/ (width|height)="\d+"/)
  for (const [cell] of html.matchAll(/<td[^>]*background-color:#[^>]*>/g))
    expect(cell).toMatch(/ bgcolor="#|padding:24px 12px/) // the body has its own
  expect(html).toMatch(
    /<!--\[if mso\]><style>[^<]*font-family[^<]*\.frame\{width:560px\}<\/style><!\[endif\]--><\/head>/,
  )
  expect(html).toMatch(/<table[^>]* class="frame"/)
}
