import { createHmac } from 'node:crypto'
import { createCallEvent } from '#app/demo/stand-ins/call-event.ts'
import { campaignCount, companyOf } from './seed.ts'
import { signingKey } from './serve.ts'

/** Creates a call, as CallRail posts it when it is finished. */
export function postCall(id: string, site: number, at: Date, caller = 0): string {
  return createCallEvent({
    id,
    company: companyOf(site),
    startedAt: at,
    caller: {
      name: 'Jane Sample',
      email: '',
      phone: `+1${2_000_000_000 + site * 100_000 + (caller % 20_000)}`, // the seed has that many callers per site
      location: 'Austin, TX',
    },
    outcome: 'answered',
    seconds: 137,
    trackingPhone: '+15125550180',
    source: 'Google Organic',
    keywords: 'roof repair',
    page: '',
  })
}

/** Returns complete requests, signed and ready to be written to a socket, each for a different call. */
export function signedPosts(run: string, count: number): Buffer[] {
  const now = Date.now()
  return Array.from({ length: count }, (_, nth) => {
    const body = postCall(`CAL${run}${nth}`, 1 + (nth % campaignCount), new Date(now - nth * 1000), nth)
    const signature = createHmac('sha1', signingKey).update(body).digest('base64')
    const head = [
      'POST /api/hooks/callrail HTTP/1.1',
      'Host: 127.0.0.1',
      'Content-Type: application/json',
      'User-Agent: CallRail',
      `Signature: ${signature}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
}
