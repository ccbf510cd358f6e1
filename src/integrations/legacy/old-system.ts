import { z } from 'zod'
import type { OutboundClient } from '../outbound/outbound.ts'
import { parseAnswer } from '../outbound/parse-answer.ts'
import { toPlainText } from '../outbound/plain-text.ts'
import { parseJson } from '../outbound/response.ts'

/** An older tool that speaks the same calls, by its address and the token of a session. */
type OldSystemAccess = { outbound: OutboundClient; address: string; token: string }

/** The old system refuses, or answers something else than data. The message is for people. */
export class OldSystemError extends Error {
  /** Whether it is the answer to this token: another one may help. */
  readonly isRefusal: boolean

  constructor(message: string, isRefusal = false) {
    super(message)
    this.isRefusal = isRefusal
  }
}

/** Returns the person of the token. */
export async function readOldSystemUser(access: OldSystemAccess): Promise<{ id: string; name: string }> {
  const user = parseAnswer('The old system', userSchema, await readOldSystem(access, 'user/me'))
  return { id: String(user.id), name: user.username }
}

const userSchema = z.looseObject({ id: z.union([z.string(), z.int()]), username: z.string().min(1) })

/** Returns the JSON that a call answers; the path is below /api, such as `user/me`. Redirects are not followed. */
async function readOldSystem({ outbound, address, token }: OldSystemAccess, path: string): Promise<unknown> {
  const response = await outbound.request(`${address}/api/${path}`, {
    redirects: 0, // the token must go nowhere else
    milliseconds: 30_000,
    mostBytes: 20_000_000,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  })
  const { location } = response.headers
  if (response.status >= 300 && response.status < 400 && location) {
    response.close()
    const target = URL.canParse(location, address) ? new URL(location, address) : null
    throw new OldSystemError(
      `The old system sends to ${target ? `${target.origin}${target.pathname}` : 'another address'} instead of answering`,
    )
  }
  const text = await response.text()
  const body = parseJson(text)
  if (body === undefined) throw new OldSystemError(describePage(response.status, text))
  if (response.status < 200 || response.status >= 300) {
    const words = toPlainText(refusalSchema.safeParse(body).data?.message, 300)
    throw new OldSystemError(
      words === null ? `The old system answered ${response.status}` : `The old system says: ${words}`,
      response.status < 500 && response.status !== 429,
    )
  }
  const refusal = toPlainText(errorSchema.safeParse(body).data?.error, 300)
  if (refusal !== null) throw new OldSystemError(`The old system says: ${refusal}`, true)
  return body
}

const refusalSchema = z.looseObject({ message: z.string() })
/** Some calls answer 200 with an error. */
const errorSchema = z.looseObject({ error: z.string() })

function describePage(status: number, text: string): string {
  const title = toPlainText(/<title[^>]*>([^<]*)<\/title>/i.exec(text.slice(0, 100_000))?.[1], 100)
  if (title !== null) return `The old system answered a page (${title}) instead of data`
  if (status >= 400) return `The old system answered ${status}`
  return /^\s*</.test(text)
    ? 'The old system answered a page instead of data'
    : 'The old system answered something else than data'
}
