import type { Endpoint, ResponseOf } from '#contract/endpoint.ts'
import { ApiError, buildApiUrl, type CallInput, readApiError, recoverSession, unreachableMessage } from './api.ts'
import { readSessionToken } from './session-token.ts'

type UploadOptions = {
  /** Called with the part that has been sent, from 0 to 1. */
  tell: (part: number) => void
  signal: AbortSignal
}

/** Sends a file as multipart form data. Uses XMLHttpRequest, because `fetch` reports no progress. Rejects with an `ApiError`. */
export function uploadWithProgress<E extends Endpoint>(
  endpoint: E,
  file: File,
  { tell, signal }: UploadOptions,
  input?: CallInput<E>,
): Promise<ResponseOf<E>> {
  const form = new FormData()
  form.set('file', file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = () => reject(new ApiError(0, unreachableMessage))
    request.open(endpoint.method, buildApiUrl(endpoint, input))
    request.setRequestHeader('accept', 'application/json')
    const token = readSessionToken()
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total }) => tell(total > 0 ? loaded / total : 0)
    request.onerror = fail
    request.onabort = fail
    request.onload = () => {
      const answer = new Response(request.responseText, { status: request.status })
      // Not validated here, as in `callApi`.
      if (answer.ok) void answer.json().then((body) => resolve(body as ResponseOf<E>), fail)
      else void readApiError(answer).then((error) => recover(error))
    }
    const recover = async (error: ApiError) =>
      (await recoverSession(error, token, true))
        ? resolve(uploadWithProgress(endpoint, file, { tell, signal }, input))
        : reject(error)
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}
