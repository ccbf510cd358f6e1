import { expect } from 'vitest'

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
  expect(html).toContain('name="color-scheme"')
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
  expect(html).not.toMatch(/<script|<form|<iframe|javascript:/i)
}
