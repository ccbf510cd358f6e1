import { ReadableStream } from 'node:stream/web'
import type { AppContext } from '#domains/app-context.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import {
  isCallRailRecording,
  openRecording,
  type RecordingResponse,
  recordingStatuses,
} from '#integrations/callrail/api.ts'

type LeadRecording = { url: string; callId: string; provider: StoredLead['lead_s'] }
type ListenRequest = { range: string | undefined; signal: AbortSignal }

/** Opens the recording of a lead: at CallRail, or at the address that another service or a file named. */
export const openLeadRecording = (
  { settings, outbound }: AppContext,
  { url, callId, provider }: LeadRecording,
  ask: ListenRequest,
): Promise<RecordingResponse> =>
  provider !== 'Other' && isCallRailRecording(settings, url)
    ? openRecording(settings, { url, callId }, ask)
    : openOtherRecording(outbound, url, ask)

const headersMs = 15_000
/** As long as a recording's address is valid; the player then asks for the rest. */
const playingMs = 600_000
const mostBytes = 500_000_000

/** Opens a recording at any public address. */
async function openOtherRecording(
  outbound: AppContext['outbound'],
  url: string,
  { range, signal }: ListenRequest,
): Promise<RecordingResponse> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), headersMs)
  try {
    const response = await outbound.request(url, {
      headers: { 'accept-encoding': 'identity', ...(range && { range }) },
      milliseconds: playingMs,
      mostBytes,
      signal: AbortSignal.any([signal, late.signal]),
    })
    if (!recordingStatuses.includes(response.status)) {
      response.close()
      throw new Error(`The recording answered ${response.status}`)
    }
    const named = ['content-type', 'content-length', 'content-range'].flatMap((name) => {
      const value = response.headers[name]
      return typeof value === 'string' ? [[name, value] as [string, string]] : []
    })
    return { status: response.status, headers: new Headers(named), body: ReadableStream.from(response.chunks()) }
  } finally {
    clearTimeout(timer)
  }
}
